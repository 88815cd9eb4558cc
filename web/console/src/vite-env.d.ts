/// <reference types="vite/client" />

declare module "virtual:api-enums" {
  const values: Record<string, string[]>;
  export default values;
}
