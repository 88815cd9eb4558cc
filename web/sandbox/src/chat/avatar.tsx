// A member's or the bot's picture: initials on a colour that follows from the id.
const colours = ["#5b4bc4", "#1f6f5c", "#9c3d54", "#2b5c9e", "#8a5a12", "#6b3f8f", "#3f6b2a", "#a3431f"];

function initials(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== "");
  return words.slice(0, 2).map((word) => word[0]!.toUpperCase()).join("");
}

export function Avatar({ id, name, size = 40 }: { id: string; name: string; size?: number }) {
  const sum = [...id].reduce((total, letter) => (total * 31 + letter.charCodeAt(0)) >>> 0, 7);
  const style = { background: colours[sum % colours.length], width: size, height: size, fontSize: size * 0.38 };
  return <span className="avatar" style={style} aria-hidden>{initials(name)}</span>;
}

export function BotAvatar({ size = 40 }: { size?: number }) {
  return <img className="avatar" src="/favicon.svg" width={size} height={size} alt="" />;
}
