/** The currencies that this browser knows, which are the active ones of ISO 4217; the server checks again. */
export const currencies: string[] = Intl.supportedValuesOf("currency");
