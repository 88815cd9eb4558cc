// Views that a person has saved: a name and the filters in the address bar. They are kept in this browser, for each shop
// and user.
import { useLocalStorage } from "@mantine/hooks";
import { useSession } from "../session";

export interface SavedView {
  name: string;
  /** As in the address bar, without the position in the list. */
  search: string;
}

const viewsMax = 20;

export function useSavedViews(list: string) {
  const { session } = useSession();
  const [views, setViews] = useLocalStorage<SavedView[]>({
    key: `guildhall.views.${session.user.tenantId}.${session.user.userId}.${list}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  const save = (view: SavedView) =>
    setViews((before) => [...before.filter((each) => each.name !== view.name), view].slice(-viewsMax));
  const remove = (name: string) => setViews((before) => before.filter((each) => each.name !== name));
  return { views, save, remove };
}
