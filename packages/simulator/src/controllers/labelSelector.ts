/** A selector as specs carry it. */
export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: {
    key: string;
    operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
    values?: string[];
  }[];
}

/** Whether labels meet a selector: an absent one selects nothing, an empty one everything. */
export function matchesSelector(
  selector: LabelSelector | undefined,
  labels: Record<string, string> = {},
): boolean {
  if (!selector) {
    return false;
  }
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return (
    Object.entries(matchLabels).every(
      ([key, value]) => labels[key] === value,
    ) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      switch (operator) {
        case 'In':
          return key in labels && values.includes(labels[key]);
        case 'NotIn':
          return !(key in labels && values.includes(labels[key]));
        case 'Exists':
          return key in labels;
        default:
          return !(key in labels);
      }
    })
  );
}
