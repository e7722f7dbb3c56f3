import { stringifyEntityRef } from '@backstage/catalog-model';
import { useEntity } from '@backstage/plugin-catalog-react';
import { KubernetesTabProvider, TemplatesProvider } from '../../links';
import { WordsProvider } from '../../words';
import { PreviewsTab } from './PreviewsTab';

/** The Previews tab of the entity whose page it is on. */
export function EntityPreviewsContent() {
  const { entity } = useEntity();
  const entityRef = stringifyEntityRef(entity);
  return (
    <WordsProvider>
      <KubernetesTabProvider>
        <TemplatesProvider>
          <PreviewsTab key={entityRef} entityRef={entityRef} />
        </TemplatesProvider>
      </KubernetesTabProvider>
    </WordsProvider>
  );
}
