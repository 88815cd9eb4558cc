// Pages have addresses of their own, so that back, links and bookmarks work.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

export function navigate(address: string): void {
  if (address === location.pathname + location.hash) return;
  history.pushState(null, "", address);
  dispatchEvent(new Event("navigate"));
}

/** The present path and hash. */
export function useAddress(): { path: string; hash: string } {
  const [address, setAddress] = useState({ path: location.pathname, hash: location.hash.slice(1) });
  useEffect(() => {
    const update = () => setAddress({ path: location.pathname, hash: location.hash.slice(1) });
    addEventListener("popstate", update);
    addEventListener("navigate", update);
    return () => {
      removeEventListener("popstate", update);
      removeEventListener("navigate", update);
    };
  }, []);
  return address;
}

/** Opens a link inside the application, unless the person asked for a new tab or the link leads elsewhere. */
export function followLink(event: MouseEvent): void {
  const link = (event.target as Element).closest("a");
  if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const url = new URL(link.href, location.href);
  if (url.origin !== location.origin || !/^\/docs(\/|$)/.test(url.pathname) || url.pathname.includes(".")) return;
  event.preventDefault();
  navigate(url.pathname + url.hash);
}

export function Link({ to, children, ...rest }: { to: string; children: ComponentChildren } & Omit<JSX.HTMLAttributes<HTMLAnchorElement>, "href">) {
  return <a href={to} {...rest}>{children}</a>;
}
