import { createBackendModule } from '@backstage/backend-plugin-api';
import {
  type Entity,
  getCompoundEntityRef,
  parseEntityRef,
  RELATION_OWNED_BY,
  RELATION_OWNER_OF,
} from '@backstage/catalog-model';
import {
  catalogProcessingExtensionPoint,
  type CatalogProcessor,
  type CatalogProcessorEmit,
  processingResult,
} from '@backstage/plugin-catalog-node';

function isTemplate({ apiVersion, kind }: Entity): boolean {
  return (
    kind === 'Template' && apiVersion === 'scaffolder.backstage.io/v1beta3'
  );
}

/** Templates as the scaffolder runs them; it judges their steps itself. */
class TemplateProcessor implements CatalogProcessor {
  getProcessorName(): string {
    return 'TemplateProcessor';
  }

  async validateEntityKind(entity: Entity): Promise<boolean> {
    if (!isTemplate(entity)) {
      return false;
    }
    if (
      typeof entity.spec?.type !== 'string' ||
      !Array.isArray(entity.spec.steps)
    ) {
      throw new TypeError('A Template has a type and steps');
    }
    return true;
  }

  async postProcessEntity(
    entity: Entity,
    _location: unknown,
    emit: CatalogProcessorEmit,
  ): Promise<Entity> {
    const owner = entity.spec?.owner;
    if (isTemplate(entity) && typeof owner === 'string') {
      const source = getCompoundEntityRef(entity);
      const target = parseEntityRef(owner, {
        defaultKind: 'Group',
        defaultNamespace: source.namespace,
      });
      emit(
        processingResult.relation({ source, type: RELATION_OWNED_BY, target }),
      );
      emit(
        processingResult.relation({
          source: target,
          type: RELATION_OWNER_OF,
          target: source,
        }),
      );
    }
    return entity;
  }
}

/** Lets the catalog take Templates, which it does not know by itself. */
export const templateKindModule = createBackendModule({
  pluginId: 'catalog',
  moduleId: 'template-kind',
  register(env) {
    env.registerInit({
      deps: { catalog: catalogProcessingExtensionPoint },
      async init({ catalog }) {
        catalog.addProcessor(new TemplateProcessor());
      },
    });
  },
});
