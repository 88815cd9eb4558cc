import { Anchor } from "@mantine/core";
import { Link } from "wouter";
import type { Shipment } from "../api";
import { t } from "../text";
import { Empty, PageHead, Status, When } from "../ui/basics";
import { CursorList } from "../ui/list";

export function ShipmentsPage() {
  return (
    <>
      <PageHead title={t("shipments.title")} />
      <CursorList<Shipment>
        label={t("shipments.title")}
        path="/api/data/shipment"
        columns={[
          { title: t("order.tracking"), cell: (shipment) => shipment.trackingNumber ?? t("shipments.noNumber") },
          { title: t("shipments.carrier"), cell: (shipment) => shipment.carrier ?? t("none"), phone: true },
          { title: t("orders.status"), cell: (shipment) => <Status value={shipment.status} kind="shippingStatus" />, phone: true },
          { title: t("payments.order"), cell: (shipment) => <Link href={`/orders/${shipment.orderId}`}>{t("payments.openOrder")}</Link>, phone: true },
          { title: t("shipments.label"), cell: (shipment) => (shipment.labelUrl ? <Anchor href={shipment.labelUrl} target="_blank" rel="noreferrer">{t("shipments.openLabel")}</Anchor> : t("none")) },
          { title: t("orders.created"), cell: (shipment) => <When at={shipment.createdAt} /> },
        ]}
        keyOf={(shipment) => shipment.id}
        empty={<Empty title={t("shipments.empty")} text={t("shipments.emptyText")} />}
      />
    </>
  );
}
