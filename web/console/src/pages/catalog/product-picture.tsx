// The picture of a product.
import { Button, FileButton, Group, Image, Paper, Stack, Text, Title } from "@mantine/core";
import { IconUpload } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api, type Product } from "../../api";
import { useAction } from "../../lib/action";
import { t } from "../../text";
import { ErrorNotice } from "../../ui/basics";
import { notifySaved } from "../../ui/form";

export const uploadPicture = (id: string, file: File) =>
  api.put<Product>(`/api/data/product/${encodeURIComponent(id)}/image`, file);

/** A file that has not been uploaded yet, as an address that the page can show. The page's policy allows `data:` for pictures. */
export function useDataUrl(file: File | null): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    setUrl(null);
    if (!file) return;
    const reader = new FileReader();
    reader.onload = () => setUrl(reader.result as string);
    reader.readAsDataURL(file);
    return () => reader.abort();
  }, [file]);
  return url;
}

interface PictureFieldProps {
  product: Product;
  isNew: boolean;
  readOnly: boolean;
  chosen: File | null;
  choose: (file: File | null) => void;
  preview: string | null;
}

/** The picture of a product is stored at once; that of a new product together with it. */
export function PictureField({ product, isNew, readOnly, chosen, choose, preview }: PictureFieldProps) {
  const queries = useQueryClient();
  const { run, busy, error } = useAction(async (work: () => Promise<unknown>) => {
    try {
      await work();
      await queries.invalidateQueries({ queryKey: ["/api/data/product"] });
      await queries.invalidateQueries({ queryKey: [`/api/data/product/${encodeURIComponent(product.id)}`] });
      notifySaved();
    } finally {
      choose(null);
    }
  });
  const pick = (file: File | null) => {
    choose(file);
    if (file && !isNew) void run(() => uploadPicture(product.id, file));
  };
  const shown = preview ?? product.image?.thumbnailUrl ?? null;
  return (
    <Paper>
      <Title order={2} fz={16} mb="sm">
        {t("picture.title")}
      </Title>
      <Group align="center">
        {shown && (
          <Image src={shown} alt={t("picture.alt", { name: product.name })} w={96} h={96} radius={8} fit="cover" />
        )}
        <Stack gap="xs" flex={1} miw={200}>
          <Text size="sm" c="dimmed">
            {t("picture.text")}
          </Text>
          <Group gap="xs">
            <FileButton
              accept="image/png,image/jpeg,image/webp"
              onChange={pick}
              disabled={readOnly}
              inputProps={{ "aria-label": t("picture.choose") }}
            >
              {(button) => (
                <Button
                  {...button}
                  variant="default"
                  size="xs"
                  loading={busy}
                  disabled={readOnly}
                  leftSection={<IconUpload size={14} />}
                >
                  {t(shown ? "picture.replace" : "picture.choose")}
                </Button>
              )}
            </FileButton>
            {product.image && !chosen && (
              <Button
                size="xs"
                variant="subtle"
                color="red"
                disabled={readOnly || busy}
                onClick={() => void run(() => api.delete(`/api/data/product/${encodeURIComponent(product.id)}/image`))}
              >
                {t("picture.remove")}
              </Button>
            )}
            {isNew && chosen && (
              <Button size="xs" variant="subtle" onClick={() => choose(null)}>
                {t("picture.remove")}
              </Button>
            )}
          </Group>
          {error && <ErrorNotice error={error} />}
        </Stack>
      </Group>
    </Paper>
  );
}
