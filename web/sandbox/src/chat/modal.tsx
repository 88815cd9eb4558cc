// A form that the bot opens, as the chat platform shows it.
import { Modal as Dialog } from "@mantine/core";
import { useState } from "react";
import type { Component, Modal } from "../state";
import { botName } from "./message";

interface Field {
  input: Component;
  label: string;
  description?: string;
}

/** Both forms of an input: in a row, where it has its label itself, and in a label component. */
function fieldsOf(modal: Modal): Field[] {
  return modal.components.flatMap((component): Field[] => {
    if (component.component) return [{ input: component.component, label: component.label ?? "", description: component.description }];
    return (component.components ?? []).map((input) => ({ input, label: input.label ?? "" }));
  });
}

interface ModalViewProps {
  modal: Modal;
  submit: (fields: Record<string, string>) => void;
  close: () => void;
}

export function ModalView({ modal, submit, close }: ModalViewProps) {
  const fields = fieldsOf(modal);
  const [values, setValues] = useState(() => Object.fromEntries(fields.map(({ input }) => [input.custom_id ?? "", input.value ?? ""])));
  const send = (event: React.FormEvent) => {
    event.preventDefault();
    submit(values);
  };
  return (
    <Dialog opened onClose={close} title={modal.title} classNames={{ content: "chat-colours platform-modal", header: "platform-modal-header" }}>
      <form onSubmit={send}>
        <p className="platform-modal-note">This form is sent to {botName}.</p>
        {fields.map(({ input, label, description }, index) => {
          const id = input.custom_id ?? "";
          const attributes = {
            value: values[id],
            onChange: (event: React.ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => setValues({ ...values, [id]: event.target.value }),
            placeholder: input.placeholder,
            required: input.required !== false,
            minLength: input.min_length,
            maxLength: input.max_length,
            "data-autofocus": index === 0 ? true : undefined,
          };
          return (
            <label key={id} className="platform-field">
              <span>{label}{input.required !== false && <b aria-hidden> *</b>}</span>
              {description && <small>{description}</small>}
              {input.style === 2 ? <textarea rows={4} {...attributes} /> : <input type="text" {...attributes} />}
            </label>
          );
        })}
        <div className="platform-modal-footer">
          <button type="button" className="platform-button platform-secondary" onClick={close}>Cancel</button>
          <button type="submit" className="platform-button platform-primary">Submit</button>
        </div>
      </form>
    </Dialog>
  );
}
