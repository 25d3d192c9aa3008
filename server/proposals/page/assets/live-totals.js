// The bundle of live-totals.ts, made by `npm run live-totals`.
// api/money.ts
var e = {
	whole: 12,
	decimals: 2
}, t = {
	whole: 12,
	decimals: 6
}, n = {
	whole: 9,
	decimals: 3
}, r = {
	whole: 3,
	decimals: 4
}, i = (e) => 10n ** BigInt(e), a = i(e.whole + e.decimals) - 1n, o = 100n * i(r.decimals), s = ({ whole: e, decimals: t }) => RegExp(`^\\d{1,${e}}${t === 0 ? "" : `(\\.\\d{1,${t}})?`}$`), c = /^(?:100(?:\.0{1,4})?|\d{1,2}(?:\.\d{1,4})?)$/;
function l(e, t) {
	if (!s(t).test(e)) throw RangeError(`not a decimal of at most ${t.decimals} decimals: ${e}`);
	let [n = "", r = ""] = e.split(".");
	return BigInt(n + r.padEnd(t.decimals, "0"));
}
function u(e, t) {
	let n = e < 0n ? "-" : "", r = (e < 0n ? -e : e).toString().padStart(t + 1, "0");
	return t === 0 ? `${n}${r}` : `${n}${r.slice(0, -t)}.${r.slice(-t)}`;
}
function d(e) {
	let [t = "", n = ""] = e.split("."), r = n.replace(/0+$/, "");
	return `${BigInt(t)}${r === "" ? "" : `.${r}`}`;
}
function f(e, t) {
	return (2n * e + t) / (2n * t);
}
var p = (e, t) => (2n * e + t - 1n) / (2n * t), m = (t) => l(t, e), h = (t) => u(t, e.decimals), g = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF".split(" "), _ = "BHD IQD JOD KWD LYD OMR TND".split(" ");
function v(e) {
	return g.includes(e) ? 0 : _.includes(e) ? 3 : 2;
}
var y = (e) => g.includes(e) ? 100n : 1n, b = class extends RangeError {
	field;
	constructor(e, t) {
		super(e), this.name = "TotalError", this.field = t;
	}
};
function x(e, t, n) {
	let [r, i] = [m(e), y(t)];
	if (r % i === 0n) return r / i;
	throw new b(`${t} has no decimals, so ${e} is not an amount. Use a whole number such as 100.00.`, n);
}
var S = (e, t) => h(e * y(t)), C = ({ optional: e, preselected: t }) => !e || t;
function ee(e, t) {
	let { currency: n, pricesIncludeTax: r } = e, i = (e) => S(e, n), a = (e, n) => t === void 0 ? C(e) : (t[n] ?? null) !== null, s = e.items.map((n, r) => ({
		...T(n, t?.[r] ?? n.quantity, t !== void 0, `items.${r}`, e),
		rate: k(n.taxes),
		group: j(n.taxes),
		counts: a(n, r)
	})), c = s.filter((e) => e.counts), l = M(e, c), u = l.reduce((e, { amount: t }) => e + t, 0n), d = E(u, e, t !== void 0 || e.items.some(te)), p = R(d, l.map(({ amount: e }) => e)), m = l.map((e, t) => ({
		...e,
		amount: e.amount - (p[t] ?? 0n)
	})), h = r ? I(m) : ne(m), g = h.reduce((e, { amount: t }) => e + t, 0n), _ = u - d + (r ? 0n : g), v = r ? re(l.map(({ rate: e }, t) => ({
		rate: e,
		amount: p[t] ?? 0n
	}))) : d, y = _ - g + v, b = r ? L(y, c) : c.map(({ amount: e }) => e), x = 0;
	return {
		items: s.map((e, t) => {
			let { amount: a, rate: s } = e, c = e.counts ? b[x++] ?? 0n : r ? f(a * o, o + s) : a, l = r ? a : f(a * (o + s), o);
			return {
				discount: i(e.discount),
				net: i(c),
				total: i(w(l, n, `items.${t}`))
			};
		}),
		subtotal: i(w(y, n, "items")),
		discountTotal: i(v),
		taxes: h.map(({ name: e, rate: t, base: n, amount: r }) => ({
			name: e,
			rate: t,
			base: i(n),
			amount: i(r)
		})),
		taxTotal: i(g),
		totalAmount: i(w(_, n, "items"))
	};
}
var te = ({ optional: e, quantityRange: t }) => e || t !== null;
function w(e, t, n) {
	if (e * y(t) > a) throw new b(`The total is more than ${h(a)}.`, n);
	return e;
}
function T({ unitPrice: r, discount: a, discountPercent: s }, c, u, d, { currency: p }) {
	let m = i(n.decimals + t.decimals - e.decimals) * y(p), h = l(c, n) * l(r, t), g = f(h, m);
	if (s !== null) {
		let e = f(h * D(s), m * o);
		return {
			discount: e,
			amount: w(g, p, d) - e
		};
	}
	let _ = x(a, p, `${d}.discount`);
	if (_ > g && !u) throw new b("The discount is more than quantity times unitPrice.", `${d}.discount`);
	let v = _ > g ? g : _;
	return {
		discount: v,
		amount: g - v
	};
}
function E(e, { discount: t, discountPercent: n, currency: r }, i) {
	if (n !== null) return f(e * D(n), o);
	let a = x(t ?? "0", r, "discount");
	if (a > e && !i) throw new b("The discount is more than the sum of the items.", "discount");
	return a > e ? e : a;
}
function D(e) {
	if (!c.test(e)) throw RangeError(`not a percentage from 0 to 100: ${e}`);
	return l(e, r);
}
var O = (e) => l(e, r), k = (e) => e.reduce((e, { rate: t }) => e + O(t), 0n), A = ({ name: e, rate: t }) => JSON.stringify([e, d(t)]), j = (e) => e.map(A).toSorted().join();
function M({ items: e }, t) {
	let n = new Map(e.map(({ taxes: e }) => [j(e), e])), r = /* @__PURE__ */ new Map(), i = /* @__PURE__ */ new Map();
	for (let { group: e, amount: n, rate: a } of t) r.set(e, (r.get(e) ?? 0n) + n), i.set(e, a);
	return [...r].toSorted(([e], [t]) => e < t ? -1 : 1).map(([e, t]) => ({
		amount: t,
		rate: i.get(e) ?? 0n,
		taxes: n.get(e) ?? []
	}));
}
function N(e) {
	let t = /* @__PURE__ */ new Map();
	for (let n of e) for (let e of n.taxes) {
		let r = t.get(A(e)) ?? {
			name: e.name,
			rate: d(e.rate),
			groups: []
		};
		r.groups.push(n), t.set(A(e), r);
	}
	return [...t.values()].toSorted((e, t) => e.name === t.name ? O(e.rate) < O(t.rate) ? -1 : 1 : (e.name ?? "") < (t.name ?? "") ? -1 : 1);
}
function ne(e) {
	return N(e).map(({ name: e, rate: t, groups: n }) => {
		let r = n.reduce((e, { amount: t }) => e + t, 0n);
		return {
			name: e,
			rate: t,
			base: r,
			amount: f(r * O(t), o)
		};
	});
}
function P(e) {
	let t = [...new Set(e.map(({ rate: e }) => o + e))].reduce((e, t) => e * t, 1n);
	return {
		nets: e.map(({ amount: e, rate: n }) => e * o * (t / (o + n))),
		denominator: t
	};
}
var F = (e) => e.reduce((e, t) => e + t, 0n);
function re(e) {
	let { nets: t, denominator: n } = P(e);
	return f(F(t), n);
}
function I(e) {
	let { nets: t, denominator: n } = P(e), r = N(e).map(({ name: n, rate: r, groups: i }) => {
		let a = F(i.map((n) => t[e.indexOf(n)] ?? 0n));
		return {
			name: n,
			rate: r,
			base: a,
			tax: a * O(r)
		};
	}), i = r.map(({ tax: e }) => f(e, n * o)), a = F(e.map(({ amount: e }) => e)), s = F(i) <= a ? i : R(a, r.map(({ tax: e }) => e));
	return r.map(({ name: e, rate: t, base: r }, i) => ({
		name: e,
		rate: t,
		base: p(r, n),
		amount: s[i] ?? 0n
	}));
}
function L(e, t) {
	return R(e, P(t).nets);
}
function R(e, t) {
	let n = F(t);
	if (n === 0n) return t.map(() => 0n);
	let r = t.map((t) => e * t / n), i = Number(e - F(r)), a = t.map((t, r) => ({
		index: r,
		remainder: e * t % n
	})).toSorted((e, t) => e.remainder === t.remainder ? e.index - t.index : e.remainder > t.remainder ? -1 : 1);
	for (let { index: e } of a.slice(0, i)) r[e] = (r[e] ?? 0n) + 1n;
	return r;
}
// api/choices.ts
var z = class extends RangeError {
	line;
	constructor(e, t) {
		super(e), this.name = "ChoiceError", this.line = t;
	}
};
function B(e, { lines: t, quantities: n = {} }) {
	for (let r of [...t ?? [], ...Object.keys(n).map(Number)]) if (e[r] === void 0) throw new z(`The proposal has no line ${r}.`, r);
	let r = new Set(t ?? e.flatMap((e, t) => e.optional && C(e) ? [t] : [])), i = /* @__PURE__ */ new Set();
	for (let t of r) {
		let { optional: n = !1, group: r = null } = e[t] ?? {};
		if (!n) throw new z(`Line ${t} is not optional.`, t);
		if (r !== null && i.has(r)) throw new z(`Only one line of the group "${r}" can be chosen.`, t);
		r !== null && i.add(r);
	}
	return e.map((e, t) => {
		let i = e.optional && !r.has(t) ? null : H(e, t, n[t]);
		return i === "0" && e.quantityRange !== null ? null : i;
	});
}
function V(e, t) {
	let n = e.items.map((e, n) => {
		let r = t[n] ?? (e.optional ? e.quantity : "0");
		return {
			...e,
			quantity: r,
			preselected: e.optional && (t[n] ?? null) !== null
		};
	}), { items: r, ...i } = ee({
		...e,
		items: n
	}, t);
	return {
		...i,
		items: r.flatMap((e, t) => n[t] === void 0 ? [] : [{
			...n[t],
			...e
		}])
	};
}
function H(e, t, n) {
	if (n === void 0) return d(e.quantity);
	if (e.quantityRange === null) throw new z(`The quantity of line ${t} is fixed.`, t);
	if (!U(n, e.quantityRange)) {
		let { min: n, max: r, step: i } = e.quantityRange;
		throw new z(`The quantity of line ${t} must be from ${n} to ${r} in steps of ${i}.`, t);
	}
	return d(n);
}
function U(e, t) {
	try {
		let [r, i, a, o] = [
			e,
			t.min,
			t.max,
			t.step
		].map((e) => l(e, n));
		return r === void 0 || i === void 0 || a === void 0 || o === void 0 || o === 0n ? !1 : r >= i && r <= a && (r - i) % o === 0n;
	} catch (e) {
		if (e instanceof RangeError) return !1;
		throw e;
	}
}
// server/proposals/words/format.ts
function W(e, t) {
	let n = {
		minimumFractionDigits: v(t),
		maximumFractionDigits: 6
	}, r = new Intl.NumberFormat(e, {
		style: "currency",
		currency: t,
		...n
	});
	return (e) => r.format(J(e));
}
function G(e) {
	let t = new Intl.NumberFormat(e, { maximumFractionDigits: 6 });
	return (e) => t.format(J(e));
}
function K(e) {
	let t = new Intl.NumberFormat(e, {
		style: "unit",
		unit: "percent",
		maximumFractionDigits: 6
	});
	return (e) => t.format(J(e));
}
var q = (e) => /^0(\.0*)?$/.test(e);
function J(e) {
	if (!Y(e)) throw RangeError(`not a decimal: ${e}`);
	return e;
}
var Y = (e) => /^-?\d+(\.\d+)?$/.test(e), X = String.raw`\u202a-\u202e\u2066-\u2069`;
RegExp(`[${X}]`, "g");
// server/lib/escape-html.ts
var Z = RegExp(`[&<>"'${X}]`), ie = new RegExp(Z, "g"), ae = {
	"&": "&amp;",
	"<": "&lt;",
	">": "&gt;",
	"\"": "&quot;",
	"'": "&#39;"
}, oe = (e) => Z.test(e) ? e.replace(ie, (e) => ae[e] ?? "") : e;
// server/proposals/page/html.ts
function Q(e, ...t) {
	let n = e[0] ?? "";
	for (let r = 0; r < t.length; r += 1) n += se(t[r] ?? null) + (e[r + 1] ?? "");
	return { html: n };
}
function se(e) {
	return e === null ? "" : typeof e == "object" ? "html" in e ? e.html : e.map((e) => e.html).join("") : oe(String(e));
}
var ce = (e) => Q`<bdi>${e}</bdi>`;
new RegExp(String.raw`[\u061c\u200e\u200f${X}]`, "g");
// server/proposals/page/choices.ts
function le(e) {
	if (!e.has("choices")) return {};
	let t = [...e].flatMap(([e, t]) => e === "line" || /^group-\d+$/.test(e) ? [Number(t)] : []), n = [...e].flatMap(([e, t]) => {
		let n = /^quantity-(\d{1,3})$/.exec(e)?.[1];
		return n === void 0 ? [] : [[Number(n), t.trim()]];
	});
	return {
		lines: t,
		quantities: Object.fromEntries(n)
	};
}
// server/proposals/page/figures.ts
function ue(e, { words: t, amount: n, percent: r }) {
	let { subtotal: i, discountPercent: a, discountTotal: o, totalAmount: s, pricesIncludeTax: c } = e, l = e.taxes ?? [], u = o !== null && !q(o), d = a === null ? t.discount : `${t.discount} ${r(a)}`, f = (e, t) => ({
		label: e,
		amount: n(t),
		isTotal: !1
	});
	return [
		...i !== null && (u || l.length > 0) ? [f(t.subtotal, i)] : [],
		...u ? [f(d, `-${o}`)] : [],
		...l.map((e) => f(t.taxOn(e.name ?? t.tax, r(e.rate), n(e.base)), e.amount)),
		{
			label: c && l.length > 0 ? `${t.total} (${t.taxIncluded})` : t.total,
			amount: n(s),
			isTotal: !0
		}
	];
}
var de = (e, t) => Q`${ue(e, t).map(({ label: e, amount: t, isTotal: n }) => Q`<div${n ? Q` class="total"` : null}>
        <dt>${ce(e)}</dt>
        <dd>${t}</dd>
      </div>`)}`, fe = ({ quantity: e, unitPrice: t, discount: n, taxes: r }, { words: i, amount: a, number: o, percent: s }) => [
	`${o(e)} × ${a(t)}`,
	...q(n) ? [] : [`${i.discount} ${a(n)}`],
	...r.map(({ name: e, rate: t }) => `${e ?? i.tax} ${s(t)}`)
], pe = " · ", $ = ({ net: e, total: t }, n) => n ? t : e ?? t, me = "";
function he(e, t) {
	let n = _e(e);
	try {
		let { items: r, taxes: i, ...a } = V(e, B(e.items, le(t)));
		return {
			totalAmount: a.totalAmount,
			total: n.amount(a.totalAmount),
			rows: de({
				...e,
				...a,
				taxes: i
			}, n).html,
			lines: r.map((t) => ({
				details: fe({
					...t,
					taxes: [...t.taxes]
				}, n).join(pe),
				amount: n.amount($(t, e.pricesIncludeTax))
			}))
		};
	} catch (e) {
		if (e instanceof z || e instanceof b) return;
		throw e;
	}
}
function ge({ currency: e, pricesIncludeTax: t, discount: n, discountPercent: r, items: i }, { locale: a, words: o, consent: s }) {
	let { subtotal: c, discount: l, tax: u, taxOn: d, total: f, taxIncluded: p } = o;
	return {
		currency: e,
		pricesIncludeTax: t,
		discount: n,
		discountPercent: r,
		locale: a,
		consent: s,
		words: {
			subtotal: c,
			discount: l,
			tax: u,
			total: f,
			taxIncluded: p,
			taxOn: d("{name}", "{rate}", "{base}")
		},
		items: i.map((e) => ({
			quantity: e.quantity,
			unitPrice: e.unitPrice,
			discount: e.discount,
			discountPercent: e.discountPercent,
			taxes: e.taxes,
			optional: e.optional,
			preselected: e.preselected,
			group: e.group,
			quantityRange: e.quantityRange
		}))
	};
}
function _e({ locale: e, currency: t, words: n }) {
	let r = (e, t, r) => n.taxOn.replace(/\{(name|rate|base)\}/g, (n, i) => i === "name" ? e : i === "rate" ? t : r);
	return {
		words: {
			...n,
			taxOn: r
		},
		amount: W(e, t),
		number: G(e),
		percent: K(e)
	};
}
export { ge as liveOffer, he as liveTotals, me as totalMark };
