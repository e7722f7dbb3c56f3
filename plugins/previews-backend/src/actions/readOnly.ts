/** No action changes anything. */
export const readOnly = {
  readOnly: true,
  destructive: false,
  idempotent: true,
} as const;
