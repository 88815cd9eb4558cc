import { act } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { api } from "../api";
import { runHook } from "./hook-test";
import { useVersions } from "./versions";

interface Discount {
  code: string;
  percent: number;
  lifecycle: { isActive: boolean; endsAt: string | null };
}

const path = "/api/data/discount/1";
const stored: { record: Discount; version: number } = {
  record: { code: "", percent: 0, lifecycle: { isActive: true, endsAt: null } },
  version: 1,
};
const base: Discount = { code: "SALE", percent: 10, lifecycle: { isActive: true, endsAt: null } };

/** A server with one record. Somebody else writes with `byOther`. */
beforeEach(() => {
  Object.assign(stored, { record: base, version: 1 });
  vi.stubGlobal(
    "fetch",
    async (
      _: string,
      { method, headers, body }: { method: string; headers: Record<string, string>; body?: string },
    ) => {
      if (method === "PATCH") {
        if (headers["if-match"] !== `"${stored.version}"`)
          return Response.json({ error: "changed meanwhile" }, { status: 412 });
        byOther(JSON.parse(body!) as Partial<Discount>);
      }
      return Response.json(stored.record, { headers: { etag: `"${stored.version}"` } });
    },
  );
});
function byOther(changes: Partial<Discount>) {
  Object.assign(stored, { record: { ...stored.record, ...changes }, version: stored.version + 1 });
}

async function save(changes: Partial<Discount>) {
  const page = runHook(() => useVersions<Discount>(path, (sent, etag) => api.patch(path, sent, { ifMatch: etag })));
  let saved = false;
  await act(async () => {
    saved = await page.now().save(changes, '"1"', { base });
  });
  return { page, saved };
}

test("nobody else has changed it", async () => {
  expect((await save({ code: "SALE", percent: 20 })).saved).toBe(true);
  expect(stored.record).toEqual({ ...base, percent: 20 });
});

test("what somebody else has changed meanwhile is merged without asking", async () => {
  byOther({ code: "FALL", lifecycle: { isActive: true, endsAt: "2026-12-01T00:00:00Z" } });
  const { page, saved } = await save({ percent: 20, lifecycle: { isActive: false, endsAt: null } });
  expect([saved, page.now().conflict]).toEqual([true, null]);
  expect(stored.record).toEqual({
    code: "FALL",
    percent: 20,
    lifecycle: { isActive: false, endsAt: "2026-12-01T00:00:00Z" },
  });
});

test("what both have changed is asked, and theirs stays unless mine is chosen", async () => {
  byOther({ code: "FALL", percent: 30 });
  const { page, saved } = await save({ code: "XMAS", percent: 20 });
  expect([saved, page.now().conflict?.asked, stored.version]).toEqual([false, ["code", "percent"], 2]);
  await act(async () => void (await page.now().conflict!.solve(["percent"])));
  expect(stored.record).toEqual({ ...base, code: "FALL", percent: 20 });
  expect(page.now().conflict).toBeNull();
});

test("a third change while the conflict is shown is merged as well", async () => {
  byOther({ percent: 30 });
  const { page } = await save({ percent: 20 });
  byOther({ code: "FALL" });
  await act(async () => void (await page.now().conflict!.solve(["percent"])));
  expect(stored.record).toEqual({ ...base, code: "FALL", percent: 20 });
});

test("another failure is no conflict", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ error: "wrong" }, { status: 400 }));
  await expect(save({ percent: 200 })).rejects.toThrow("wrong");
});
