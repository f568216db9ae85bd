import { createHash } from 'node:crypto'

/**
 * The style of all pages. It is inline, and the content security policy has its hash: no other style, and no external
 * resource, is allowed.
 */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f3f4f8; --card: #ffffff; --ink: #171a26; --soft: #5a6072; --line: #dcdfe8;
  --field: #ffffff; --field-line: #868da0; --accent: #3f4bd8; --accent-strong: #323cb4; --on-accent: #ffffff;
  --tint: #eef0ff; --bad: #b3203a; --bad-tint: #fdeef0; --good: #17704a; --good-tint: #e8f6ef;
  --shadow: 0 1px 2px rgb(20 24 46 / 6%), 0 12px 32px -12px rgb(20 24 46 / 18%);
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0f1118; --card: #181b25; --ink: #eceef6; --soft: #a3a9bb; --line: #2b3040;
    --field: #11141c; --field-line: #6c7489; --accent: #99a2ff; --accent-strong: #b5bcff; --on-accent: #10132a;
    --tint: #20253d; --bad: #ff93a3; --bad-tint: #351a22; --good: #74d6a8; --good-tint: #15301f;
    --shadow: 0 1px 2px rgb(0 0 0 / 40%), 0 16px 40px -16px rgb(0 0 0 / 70%);
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { font-size: 100%; -webkit-text-size-adjust: 100%; }
body {
  margin: 0; min-height: 100vh; display: flex; flex-direction: column; align-items: center;
  padding: clamp(1rem, 6vh, 4.5rem) 1rem 2rem; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif;
}
.brand { display: flex; align-items: center; gap: .6rem; margin: 0 0 1.25rem; font-weight: 650; letter-spacing: -.01em; }
.brand svg { width: 1.75rem; height: 1.75rem; flex: none; }
.brand .mark { fill: var(--accent); }
.brand .lines { stroke: var(--on-accent); }
.brand .org { color: var(--soft); font-weight: 450; padding-left: .6rem; border-left: 1px solid var(--line); }
main {
  width: 100%; max-width: 28rem; padding: clamp(1.25rem, 5vw, 2.25rem); background: var(--card);
  border: 1px solid var(--line); border-radius: 1rem; box-shadow: var(--shadow);
}
main, .brand { overflow-wrap: anywhere; }
h1 { margin: 0 0 .35rem; font-size: 1.5rem; line-height: 1.25; letter-spacing: -.02em; }
h2 { margin: 1.5rem 0 .5rem; font-size: .95rem; }
p { margin: 0 0 1rem; }
.lead { color: var(--soft); margin-bottom: 1.5rem; }
.lead strong { color: var(--ink); font-weight: 600; }
[hidden] { display: none !important; }
form { margin: 0; }
.field { margin: 0 0 1.1rem; }
label { display: block; margin: 0 0 .35rem; font-weight: 600; font-size: .925rem; }
.hint { margin: .35rem 0 0; color: var(--soft); font-size: .875rem; }
input {
  display: block; width: 100%; min-height: 2.85rem; padding: .55rem .8rem; font: inherit; color: inherit;
  background: var(--field); border: 1px solid var(--field-line); border-radius: .6rem;
}
input[aria-invalid="true"] { border-color: var(--bad); box-shadow: inset 0 0 0 1px var(--bad); }
input.code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 1.35rem; letter-spacing: .18em; text-transform: uppercase; text-align: center; }
button, .button {
  display: inline-flex; align-items: center; justify-content: center; width: 100%; min-height: 2.85rem;
  padding: .55rem .75rem; font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer;
  color: var(--on-accent); background: var(--accent); border: 1px solid transparent; border-radius: .6rem;
}
button:hover, .button:hover { background: var(--accent-strong); }
button.quiet, .button.quiet { color: var(--ink); background: transparent; border-color: var(--field-line); }
button.quiet:hover, .button.quiet:hover { background: var(--tint); }
.actions { display: flex; flex-wrap: wrap-reverse; gap: .75rem; margin-top: 1.5rem; }
.actions > * { flex: 1 1 9rem; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
a { color: var(--accent); text-underline-offset: .2em; }
.alert { margin: 0 0 1.25rem; padding: .75rem .9rem; border-radius: .6rem; background: var(--bad-tint); color: var(--bad); border-left: 4px solid currentcolor; }
.alert p { margin: 0; }
.notice { margin: 0 0 1.25rem; padding: .75rem .9rem; border-radius: .6rem; background: var(--good-tint); color: var(--good); border-left: 4px solid currentcolor; }
.scopes { list-style: none; margin: 0 0 1.25rem; padding: 0; border: 1px solid var(--line); border-radius: .75rem; }
.scopes li { display: flex; gap: .7rem; padding: .7rem .9rem; border-top: 1px solid var(--line); }
.scopes li:first-child { border-top: 0; }
.scopes svg { width: 1.1rem; height: 1.1rem; margin-top: .2rem; flex: none; stroke: var(--good); }
.facts { margin: 0 0 1.25rem; font-size: .925rem; }
.facts dt { color: var(--soft); }
.facts dd { margin: 0 0 .6rem; font-weight: 600; }
.small { font-size: .875rem; color: var(--soft); margin: 1.25rem 0 0; }
.small a { color: inherit; }
.code-shown { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
@media (forced-colors: active) { main, button, .button, input { border-color: CanvasText; } }
`

/** The hash in the format of a content security policy. */
export const STYLE_HASH = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`
