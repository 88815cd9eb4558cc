// Compiled, never run: what the types allow, and what they refuse.
import { type components, GuildhallClient } from "@guildhall/client";

export async function accepted(client: GuildhallClient, id: string): Promise<void> {
  const order: components["schemas"]["Order"] = await client.get("/api/data/order/{id}", { params: { id } });
  const { session } = await client.signIn("default", "admin", "password");
  const keys: string[] = session.permissionKeys;
  const nothing: void = await client.delete("/api/data/order/{id}", { params: { id } });
  await client.put("/api/data/product/{id}/image", { params: { id }, body: new Blob([], { type: "image/png" }) });
  await client.get("/api/data/name", { query: { kind: "customer", ids: [id] } });
  for await (const contribution of client.each("/api/admin/community-fund/contributions")) contribution.amountCents.toFixed();
  console.log(order.totalCents + 1, keys, nothing);
}

export async function refused(client: GuildhallClient, id: string): Promise<void> {
  // @ts-expect-error: there is no such path
  await client.get("/api/data/ordr");
  // @ts-expect-error: there is no such method
  await client.put("/api/data/order", {});
  // @ts-expect-error: a page, not JSON
  await client.get("/orders/invoice/{token}", { params: { token: id } });
  // @ts-expect-error: the parameter is missing
  await client.get("/api/data/order/{id}");
  // @ts-expect-error: the parameter has another name
  await client.get("/api/data/order/{id}", { params: { orderId: id } });
  // @ts-expect-error: the body is missing
  await client.post("/api/data/product");
  // @ts-expect-error: a misspelt field
  await client.post("/api/data/product", { body: { name: "Mug", sku: "M", priceCents: 1, priceCent: 1 } });
  // @ts-expect-error: a field of the wrong type
  await client.patch("/api/data/product/{id}", { params: { id }, body: { priceCents: "1" } });
  // @ts-expect-error: not one of the statuses
  await client.get("/api/data/order", { query: { status: ["PAYED"] } });
  // @ts-expect-error: required parameters are missing
  await client.get("/api/data/name");
  // @ts-expect-error: not a list
  client.each("/api/data/order/{id}/pricing", { params: { id } });
  // @ts-expect-error: the answer has no such field
  (await client.get("/api/data/order/{id}", { params: { id } })).total;
}
