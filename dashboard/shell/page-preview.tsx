import './preview.css'
import { useEffect, useRef, useState } from 'react'

/**
 * Shows an HTML document of the server in a frame that runs no scripts and submits no forms. The document cannot be focused or
 * clicked, only scrolled. A new document replaces the former one in place, so that the frame keeps its scroll position.
 */
export function PagePreview({ html, title }: { html: string; title: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [loads, setLoads] = useState(0)
  // The browser draws it with its styles. Those of a document that is inserted arrive after its first drawing, and move it.
  const [first] = useState(() => `<!doctype html>${inertDocument(html).documentElement.outerHTML}`)
  useEffect(() => {
    const shown = frame.current?.contentDocument
    if (shown !== null && shown !== undefined && loads > 0) replace(shown, inertDocument(html))
  }, [html, loads])
  // A frame whose document has the focus does not match `:focus`.
  const [hasFocus, setFocus] = useState(false)
  return (
    <iframe
      ref={frame}
      data-focused={hasFocus}
      className="page-preview"
      title={title}
      // Without allow-scripts, the origin gives the document no rights: it lets the dashboard fill the frame.
      sandbox="allow-same-origin"
      srcDoc={first}
      onLoad={({ currentTarget: { contentWindow } }) => {
        setLoads((count) => count + 1)
        contentWindow?.addEventListener('focus', () => setFocus(true))
        contentWindow?.addEventListener('blur', () => setFocus(false))
      }}
    />
  )
}

function inertDocument(html: string): Document {
  const document = new DOMParser().parseFromString(html, 'text/html')
  document.body.inert = true
  return document
}

function replace(shown: Document, next: Document): void {
  shown.documentElement.lang = next.documentElement.lang
  // Inserting the same style sheet again would show the page without styles for a moment.
  if (shown.head.innerHTML !== next.head.innerHTML) shown.head.innerHTML = next.head.innerHTML
  if (shown.body.outerHTML !== next.body.outerHTML) shown.body.replaceWith(shown.adoptNode(next.body))
}
