import { createContext, PropsWithChildren, useContext, useMemo } from 'react';
import { configApiRef, useApi, useRouteRef } from '@backstage/core-plugin-api';
import { useEntity } from '@backstage/plugin-catalog-react';
import { TierState } from '@previews/backstage-plugin-previews-common';
import { templateRouteRef } from '../routes';
import {
  filledIn,
  onboardingAnswers,
  parseTemplateName,
  promotionAnswers,
} from './templates';

const ONBOARD = 'default/onboard-service';
const PROMOTE = 'default/promote-release';

/** Where the portal's forms are; nothing in a portal without a scaffolder. */
export interface Templates {
  /** Path of the onboarding form, filled in for the entity. */
  onboard?: string;
  /**
   * Path of the form of a release of a tier, filled in; undefined where it is
   * not known what a release changes.
   *
   * @param value - what to release, where that is known.
   */
  promote?(tier: TierState, value?: string): string | undefined;
  /** Page that explains how a service gets previews. */
  docsUrl?: string;
}

const TemplatesContext = createContext<Templates>({});

/** Lets the components below lead to the templates for the entity whose page they are on. */
export function TemplatesProvider({ children }: PropsWithChildren<{}>) {
  const { entity } = useEntity();
  const config = useApi(configApiRef).getOptionalConfig('previews.templates');
  const formOf = useRouteRef(templateRouteRef);
  const onboard = config?.getOptionalString('onboard') ?? ONBOARD;
  const promote = config?.getOptionalString('promote') ?? PROMOTE;
  const docsUrl = config?.getOptionalString('docsUrl');
  const templates = useMemo((): Templates => {
    const pathOf = (template: string) => {
      const name = parseTemplateName(template);
      return name && formOf?.(name);
    };
    const onboarding = pathOf(onboard);
    const promotion = pathOf(promote);
    return {
      docsUrl,
      onboard: onboarding && filledIn(onboarding, onboardingAnswers(entity)),
      promote:
        promotion === undefined
          ? undefined
          : (tier, value) => {
              const answers = promotionAnswers(entity, tier, value);
              return answers && filledIn(promotion, answers);
            },
    };
  }, [entity, formOf, onboard, promote, docsUrl]);
  return (
    <TemplatesContext.Provider value={templates}>
      {children}
    </TemplatesContext.Provider>
  );
}

export function useTemplates(): Templates {
  return useContext(TemplatesContext);
}
