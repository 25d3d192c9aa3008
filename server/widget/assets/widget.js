// A search field for a public page, with answers from a knowledge base. See docs/widget.md.
;(() => {
  const script = document.currentScript
  if (!(script instanceof HTMLScriptElement)) return
  const { token, target, theme = 'auto', accent = '#1d4ed8' } = script.dataset
  const server = new URL(script.src).origin
  const words = {
    title: script.dataset.title ?? 'Ask us',
    placeholder: script.dataset.placeholder ?? 'Ask a question',
    search: script.dataset.search ?? 'Search',
    close: script.dataset.close ?? 'Close',
    searching: script.dataset.searching ?? 'Searching…',
    answering: script.dataset.answering ?? 'Writing an answer…',
    answer: script.dataset.answer ?? 'Answer',
    sources: script.dataset.sources ?? 'Found in',
    page: script.dataset.page ?? 'page',
    found: script.dataset.found ?? 'Results: ',
    unsure: script.dataset.unsure ?? 'No definite answer was found. These passages may help:',
    none: script.dataset.none ?? 'No results found. Try different words.',
    busy: script.dataset.busy ?? 'There are too many requests right now. Try again in a minute.',
    failed: script.dataset.failed ?? 'Search is unavailable. Try again.',
  }
  if (token === undefined) return console.error('Groundwork widget: data-token is missing.')

  const timeoutMs = 60_000
  const excerptLength = 320
  /** Below it, the passages more often do not answer the question than they do. */
  const minConfidence = 0.5

  const styles = `
    :host { all: initial; }
    * { box-sizing: border-box; }
    .root {
      --accent: ${colorOf(accent)}; --on-accent: ${textOn(colorOf(accent))};
      --ground: #fff; --text: #16191d; --muted: #565e68; --line: #ccd2d9; --mark: #fdf0b8;
      color-scheme: light; color: var(--text); font: 16px/1.5 system-ui, sans-serif;
    }
    .root.dark {
      --ground: #16191d; --text: #edf0f3; --muted: #a5aeb8; --line: #3d444d; --mark: #57490f;
      color-scheme: dark;
    }
    button { font: inherit; cursor: pointer; border: 0; border-radius: 8px; padding: 8px 16px; min-height: 44px; }
    .accent { background: var(--accent); color: var(--on-accent); }
    .plain { background: transparent; color: var(--text); border: 1px solid var(--line); }
    .open { position: fixed; right: 20px; bottom: 20px; z-index: 2147483000; border-radius: 24px; box-shadow: 0 4px 16px #0004; }
    dialog {
      background: var(--ground); color: inherit; border: 1px solid var(--line); border-radius: 12px; padding: 20px;
      width: min(560px, calc(100vw - 32px)); max-height: min(720px, calc(100vh - 32px)); overflow: auto;
    }
    dialog::backdrop { background: #0008; }
    .inline { background: var(--ground); border: 1px solid var(--line); border-radius: 12px; padding: 20px; }
    .head { display: flex; align-items: center; justify-content: space-between; gap: 12px; margin-bottom: 12px; }
    h2 { font-size: 20px; line-height: 1.3; margin: 0; }
    h3 { font-size: 14px; color: var(--muted); font-weight: 600; margin: 20px 0 8px; }
    form { display: flex; gap: 8px; flex-wrap: wrap; }
    input {
      flex: 1 1 200px; min-width: 0; min-height: 44px; font: inherit; color: inherit; background: transparent;
      border: 1px solid var(--muted); border-radius: 8px; padding: 8px 12px;
    }
    :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
    .root.dark :focus-visible { outline-color: #8ab4ff; }
    .status { color: var(--muted); margin: 12px 0 0; min-height: 1.5em; }
    .answer { white-space: pre-line; margin: 0; overflow-wrap: anywhere; }
    ol { list-style: none; margin: 0; padding: 0; }
    li { border-top: 1px solid var(--line); padding: 12px 0; overflow-wrap: anywhere; }
    li p { margin: 4px 0 0; white-space: pre-line; }
    a { color: inherit; font-weight: 600; }
    .name { font-weight: 600; }
    .where { color: var(--muted); font-weight: 400; }
    mark { background: var(--mark); color: inherit; border-radius: 2px; }
    [hidden] { display: none; }
  `

  const host = document.createElement('div')
  const shadow = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  shadow.adoptedStyleSheets = [sheet]

  const root = element('div', { className: 'root' })
  const prefersDark = matchMedia('(prefers-color-scheme: dark)')
  const applyTheme = () => root.classList.toggle('dark', theme === 'dark' || (theme === 'auto' && prefersDark.matches))
  prefersDark.addEventListener('change', applyTheme)
  applyTheme()

  // In a field of type search, Escape would clear the text instead of closing the dialog.
  const input = element('input', {
    type: 'text',
    enterKeyHint: 'search',
    maxLength: 500,
    required: true,
    autocomplete: 'off',
    placeholder: words.placeholder,
  })
  input.setAttribute('role', 'searchbox')
  input.setAttribute('aria-label', words.placeholder)
  const form = element('form', {}, input, element('button', { type: 'submit', className: 'accent', textContent: words.search }))
  form.setAttribute('role', 'search')
  const status = element('p', { className: 'status' })
  status.setAttribute('role', 'status')
  const answer = element('section', { hidden: true })
  const results = element('section', { hidden: true })
  const heading = element('h2', { id: 'title', textContent: words.title })

  if (target === undefined) {
    const close = element('button', { type: 'button', className: 'plain', textContent: words.close })
    const dialog = element('dialog', {}, element('div', { className: 'head' }, heading, close), form, status, answer, results)
    dialog.setAttribute('aria-labelledby', 'title')
    const open = element('button', { type: 'button', className: 'accent open', textContent: words.title })
    open.setAttribute('aria-haspopup', 'dialog')
    open.addEventListener('click', () => {
      dialog.showModal()
      input.focus()
    })
    close.addEventListener('click', () => dialog.close())
    dialog.addEventListener('click', (event) => {
      if (event.target === dialog) dialog.close()
    })
    root.append(open, dialog)
  } else {
    root.append(element('div', { className: 'inline' }, element('div', { className: 'head' }, heading), form, status, answer, results))
  }
  shadow.append(root)
  const place = () => {
    const parent = target === undefined ? document.body : document.querySelector(target)
    if (parent === null) console.error(`Groundwork widget: the page has no element ${target}.`)
    else parent.append(host)
  }
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', place, { once: true })
  else place()

  let asking = new AbortController()
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const query = input.value.trim()
    if (query === '') return
    asking.abort()
    asking = new AbortController()
    void show(query, asking.signal)
  })

  /** Shows the passages as soon as they are found, and then the answer if there is a chat model. */
  async function show(query, signal) {
    answer.hidden = true
    results.hidden = true
    status.textContent = words.searching
    try {
      const found = await ask('search', query, signal)
      showPassages(words.sources, found.passages)
      if (found.passages.length > 0 && found.answers) {
        status.textContent = words.answering
        const { answer: text, passages } = await ask('answer', query, signal)
        if (text !== null) {
          answer.replaceChildren(element('h3', { textContent: words.answer }), element('p', { className: 'answer', textContent: text }))
          answer.hidden = false
          showPassages(words.sources, passages)
          status.textContent = ''
          return
        }
      }
      const count = found.passages.length
      status.textContent = count === 0 ? words.none : found.confidence < minConfidence ? words.unsure : `${words.found}${count}`
    } catch (error) {
      if (signal.aborted) return
      status.textContent = error instanceof Refusal && error.status === 429 ? words.busy : words.failed
      console.error(`Groundwork widget: ${error.message}. The token must allow the origin ${location.origin}.`)
    }
  }

  async function ask(what, query, signal) {
    // oxlint-disable-next-line no-restricted-globals -- it runs in a page
    const response = await fetch(`${server}/widget/${what}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query }),
      credentials: 'omit',
      signal: AbortSignal.any ? AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) : signal,
    })
    if (!response.ok) throw new Refusal(response.status)
    return response.json()
  }

  function showPassages(title, passages) {
    results.hidden = passages.length === 0
    results.replaceChildren(element('h3', { textContent: title }), element('ol', {}, ...passages.map(passageItem)))
  }

  function passageItem({ title, url, page, text, highlights }) {
    const isLink = url !== null && /^https?:/.test(url)
    const name = isLink
      ? element('a', { href: url, target: '_blank', rel: 'noopener', textContent: title })
      : element('span', { className: 'name', textContent: title })
    const where = page === null ? [] : [element('span', { className: 'where', textContent: `, ${words.page} ${page}` })]
    return element('li', {}, name, ...where, element('p', {}, ...excerptOf(text, highlights)))
  }

  /** Returns the part of the passage around its best sentence, with the best sentences marked. */
  function excerptOf(text, highlights) {
    const [best] = highlights
    const from = best === undefined || best.end < excerptLength ? 0 : best.start
    const space = text.indexOf(' ', Math.max(from + excerptLength, best === undefined ? 0 : best.end))
    const to = space < 0 ? text.length : space
    const marks = highlights.filter(({ start, end }) => start >= from && end <= to).toSorted((a, b) => a.start - b.start)
    const parts = [from > 0 ? '… ' : '']
    let at = from
    for (const { start, end } of marks) {
      if (start < at) continue
      parts.push(compact(text.slice(at, start)), element('mark', { textContent: compact(text.slice(start, end)) }))
      at = end
    }
    parts.push(compact(text.slice(at, to)), to < text.length ? ' …' : '')
    return parts
  }

  /** Removes empty lines. */
  const compact = (text) => text.replaceAll(/\n\s*\n/g, '\n')

  class Refusal extends Error {
    constructor(code) {
      super(`the server answered ${code}`)
      this.status = code
    }
  }

  /** Returns an element with these properties and children. */
  function element(name, properties, ...children) {
    const made = Object.assign(document.createElement(name), properties)
    made.append(...children)
    return made
  }

  /** Returns the color if it is one, such as `#1d4ed8`. */
  function colorOf(value) {
    return /^#[0-9a-f]{6}$/i.test(value) ? value : '#1d4ed8'
  }

  /** Returns black or white, whichever has more contrast on the color. */
  function textOn(color) {
    const [red, green, blue] = [1, 3, 5]
      .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000' : '#fff'
  }
})()
