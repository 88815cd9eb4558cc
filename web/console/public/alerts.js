// The console's service worker. It shows alerts that arrive by web push, also while no page of the console is open.
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("push", (event) => {
  const { title = "Guildhall", body = "", url = "/console/", tag } = event.data?.json() ?? {};
  event.waitUntil(
    self.registration.showNotification(title, { body, tag, icon: "/console/favicon.svg", data: { url } }),
  );
});

// A page that shows the record already comes to the front. Other pages stay as they are: somebody may be typing there.
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const url = new URL(event.notification.data.url, self.location.origin);
  const open = async () => {
    const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    const shown = pages.find((page) => new URL(page.url).pathname === url.pathname);
    return shown ? shown.focus() : self.clients.openWindow(url.href);
  };
  event.waitUntil(open());
});
