// Who is signed in. A request that is answered with 401 opens the sign-in dialog over the page, so that no draft is lost.
import { QueryCache, QueryClient, queryOptions, useQuery, useQueryClient, type Query } from "@tanstack/react-query";
import { createContext, useCallback, useContext, useEffect, useState, type ReactNode } from "react";
import { ApiError, api, whenUnauthenticated, type Session, type SessionReply } from "./api";
import { hasDraft } from "./lib/drafts";

interface SessionContextValue {
  session: Session;
  may: (permission: string) => boolean;
  signOut: () => Promise<void>;
  switchTenant: (tenantId: string) => Promise<void>;
  /** Opens the sign-in dialog while the session is still valid, so that it is replaced by a new one. */
  renew: () => void;
}

const SessionContext = createContext<SessionContextValue | null>(null);

export function useSession(): SessionContextValue {
  const value = useContext(SessionContext);
  if (value === null) throw new Error("useSession is used outside of SessionProvider");
  return value;
}

export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: () => api.get<SessionReply>("/auth/me").then((reply) => reply.session),
  staleTime: Infinity,
});

/** A record that is read again would replace what somebody is typing. Something that was never read replaces nothing. */
export const replacesNoDraft = (query: Query) => !hasDraft() || query.state.data === undefined;

export function makeQueryClient(): QueryClient {
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      // The shop has begun to require a second factor: the session's rights are read again, and the page leads to enrolment.
      onError: (error) => {
        if (error instanceof ApiError && error.code === "SECOND_FACTOR_NOT_ENROLLED")
          void queries.invalidateQueries({ queryKey: ["session"] });
      },
    }),
    // The client itself repeats what is safe to repeat.
    // offlineFirst: without a connection a page says so, instead of waiting for its first answer.
    defaultOptions: {
      queries: {
        retry: false,
        staleTime: 5_000,
        networkMode: "offlineFirst",
        refetchOnReconnect: replacesNoDraft,
        refetchOnWindowFocus: replacesNoDraft,
      },
      mutations: { retry: false },
    },
  });
  return queries;
}

/** A link from a message names its shop (`?tenant=`). Opens that shop if another one is open; returns whether it is doing so. */
function useLinkedShop(session: Session | undefined): boolean {
  const shop = new URLSearchParams(location.search).get("tenant");
  const [refused, setRefused] = useState(false);
  const opens = session !== undefined && shop !== null && shop !== session.user.tenantId && !refused;
  useEffect(() => {
    if (!opens) return;
    const address = new URL(location.href);
    address.searchParams.delete("tenant");
    api.post("/auth/tenant", { tenantId: shop }).then(
      () => location.replace(address),
      () => setRefused(true),
    );
  }, [opens, shop]);
  return opens;
}

interface SessionProviderProps {
  /** `again`: over the page, whose session has ended. With `later` it has not ended yet, and the dialog can be closed. */
  signIn: (done: () => void, again: boolean, later?: () => void) => ReactNode;
  loading: ReactNode;
  failed: (error: Error, retry: () => void) => ReactNode;
  children: ReactNode;
}

export function SessionProvider({ signIn, loading, failed, children }: SessionProviderProps) {
  const queries = useQueryClient();
  const [ended, setEnded] = useState(false);
  const [renewing, setRenewing] = useState(false);
  const current = useQuery(sessionQuery);
  whenUnauthenticated(() => setEnded(true));
  const opening = useLinkedShop(current.data);

  const signedIn = useCallback(() => {
    setEnded(false);
    setRenewing(false);
    // Another person, or other rights: every answer may differ.
    void queries.invalidateQueries();
  }, [queries]);
  const signOut = useCallback(async () => {
    await api.post("/auth/logout");
    queries.clear();
    location.assign("/console/");
  }, [queries]);
  const switchTenant = useCallback(
    async (tenantId: string) => {
      await api.post("/auth/tenant", { tenantId });
      queries.clear();
      location.assign("/console/");
    },
    [queries],
  );

  if (current.data === undefined) {
    if (current.isPending) return loading;
    const unauthenticated = current.error instanceof ApiError && current.error.status === 401;
    return unauthenticated ? signIn(signedIn, false) : failed(current.error, () => void current.refetch());
  }
  if (opening) return loading;
  const session = current.data;
  const may = (permission: string) => session.permissionKeys.includes(permission);
  return (
    <SessionContext value={{ session, may, signOut, switchTenant, renew: () => setRenewing(true) }}>
      {children}
      {ended && signIn(signedIn, true)}
      {!ended && renewing && signIn(signedIn, true, () => setRenewing(false))}
    </SessionContext>
  );
}
