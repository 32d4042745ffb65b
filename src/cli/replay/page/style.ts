/** How the page looks: light or dark as the reader's system is, and in one column on a phone. */
export const STYLE = `
:root{color-scheme:light dark;--paper:#fff;--ink:#1c2430;--muted:#5b6675;--line:#dfe4ea;--card:#f6f8fa;--ring:#c2410c;
--t0:#1f6fd1;--t1:#b4540a;--t2:#1b7f4b;--t3:#8a4fc4;--t4:#6b7685;--t5:#b02a5b}
@media (prefers-color-scheme:dark){:root{--paper:#12161c;--ink:#e4e9f0;--muted:#9aa7b8;--line:#2b333f;--card:#1a2029;--ring:#fb923c;
--t0:#6ea8fe;--t1:#f0a35e;--t2:#58c48c;--t3:#c39af2;--t4:#94a1b2;--t5:#f07ca6}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1080px;padding:20px 16px 48px;background:var(--paper);color:var(--ink);
font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 4px}
h2{font-size:1.05rem;margin:0 0 4px}
p{margin:0 0 12px}
.muted,figcaption{color:var(--muted);font-size:.9rem}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:12px;margin:16px 0;padding:0;list-style:none}
.cards li,figure,.advice{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:12px 14px}
.cards b{display:block;font-size:1.35rem;line-height:1.3;font-variant-numeric:tabular-nums}
.advice{margin:16px 0;border-left:4px solid var(--ring)}
.advice p:last-child{margin:0}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,420px),1fr));gap:16px;margin:16px 0}
figure{margin:0;min-width:0}
svg{display:block;width:100%;height:auto;overflow:visible}
svg text{fill:var(--muted);font-size:12px;font-variant-numeric:tabular-nums}
svg .label{fill:var(--ink)}
.grid{stroke:var(--line)}
.curve>path:first-child{fill:none;stroke-width:2;stroke-linejoin:round}
.mark{cursor:pointer;stroke:var(--card);stroke-width:1.5}
.ring{fill:none;stroke:var(--ring);stroke-width:2.5}
.said{min-height:1.4em;margin:0;font-size:.85rem}
.keys{display:flex;flex-wrap:wrap;gap:8px 18px;margin:12px 0;padding:0;list-style:none;align-items:center}
.keys svg{display:inline-block;width:14px;height:14px;vertical-align:-2px;margin-right:6px}
button{font:inherit;font-size:.9rem;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:999px;padding:6px 14px;cursor:pointer}
button[aria-pressed=true]{background:var(--ink);color:var(--paper);border-color:var(--ink)}
.scroll{overflow-x:auto;border:1px solid var(--line);border-radius:10px}
table{border-collapse:collapse;width:100%;font-size:.9rem;font-variant-numeric:tabular-nums}
th,td{padding:7px 10px;text-align:right;white-space:nowrap;border-bottom:1px solid var(--line)}
th:first-child,td:first-child{text-align:left;position:sticky;left:0;background:var(--paper)}
th{cursor:pointer;color:var(--muted);font-weight:600}
th[aria-sort=ascending]::after{content:" ↑"}
th[aria-sort=descending]::after{content:" ↓"}
tr.best td{font-weight:700;background:var(--card)}
tr:last-child td{border-bottom:0}
${[0, 1, 2, 3, 4, 5].map((tone) => `.tone${tone}>path:first-child{stroke:var(--t${tone})}.tone${tone} .mark{fill:var(--t${tone})}`).join("\n")}
@media (max-width:600px){svg text{font-size:15px}body{padding:14px 12px 40px}}
@media print{button,.said{display:none}}
`;
