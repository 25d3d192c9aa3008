import { api, apiTags, type Route } from '@groundwork/api'
import { escapeHtml } from '../lib/escape-html.ts'

/**
 * Returns the page of the API reference: a list of all operations. Swagger UI, which takes seconds to start on a phone, replaces
 * the list when an operation is opened (guides/assets/reference.js).
 */
export const referencePage = (description: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Groundwork API reference</title>
<meta name="description" content="All operations of the Groundwork HTTP API, with their fields and errors. Requests can be sent from the page.">
<meta name="color-scheme" content="light dark">
<link rel="icon" type="image/svg+xml" href="/docs/icon.svg">
<link rel="stylesheet" href="/docs/reference.css">
<script defer src="/docs/start.js"></script>
</head>
<body>
<nav aria-label="Groundwork"><a href="/docs">Guides</a> <a href="/app/">Dashboard</a></nav>
<div id="reference">
<main class="overview">
<h1>Groundwork API reference</h1>
<p>${escapeHtml(description).replaceAll(/`([^`]+)`/g, '<code>$1</code>')}</p>
<p><a href="/v1/openapi.json">OpenAPI document</a></p>
<p><button type="button" id="enter-token">Authorize</button></p>
<p id="progress" role="status"></p>
<noscript><p>The fields of operations and requests from this page require JavaScript.</p></noscript>
<h2>Operations</h2>
${Object.entries(api).map(group).join('\n')}
</main>
</div>
</body>
</html>
`

const group = ([tag, verbs]: [string, Record<string, Route>]): string => `<section aria-labelledby="${tag}">
<h3 id="${tag}">${tag}</h3>
<p>${escapeHtml(apiTags[tag as keyof typeof apiTags])}</p>
<ul>
${Object.entries(verbs)
  .map(([verb, { method, path, summary }]) => {
    const name = `<b class="${method.toLowerCase()}">${method}</b> <code>${escapeHtml(path)}</code>`
    return `<li><a href="#/${tag}/${tag}.${verb}">${name} <span>${escapeHtml(summary)}</span></a></li>`
  })
  .join('\n')}
</ul>
</section>`
