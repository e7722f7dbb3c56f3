import { stringifyEntityRef } from '@backstage/catalog-model';
import { useEntity, useEntityRefLink } from '@backstage/plugin-catalog-react';
import { useNavigate } from 'react-router-dom';
import { KubernetesTabProvider } from '../../links';
import { WordsProvider } from '../../words';
import { PreviewsCard } from './PreviewsCard';

/** Where the tab is below the entity's page, in both frontend systems. */
const TAB_PATH = 'previews';

/** The Previews card of the entity whose page it is on. */
export function EntityPreviewsCard() {
  const { entity } = useEntity();
  const entityLink = useEntityRefLink();
  const navigate = useNavigate();
  const entityRef = stringifyEntityRef(entity);
  return (
    <WordsProvider>
      <KubernetesTabProvider>
        <PreviewsCard
          key={entityRef}
          entityRef={entityRef}
          tab={`${entityLink(entityRef)}/${TAB_PATH}`}
          onOpenTab={navigate}
        />
      </KubernetesTabProvider>
    </WordsProvider>
  );
}
