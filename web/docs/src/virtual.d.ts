declare module "virtual:guides" {
  export const guides: { name: string; title: string; group: string; sections: { id: string; heading: string; text: string }[] }[];
  export const pages: Record<string, () => Promise<{ default: string }>>;
}
