// Starts the API reference in the theme of the system, with corrections to Swagger UI for screen readers and keyboards.
const dark = matchMedia('(prefers-color-scheme: dark)')
const showTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
showTheme()
dark.addEventListener('change', showTheme)

const corrections = ({ React: { createElement, Fragment } }) => ({
  wrapComponents: {
    // This server is the only one, and the list has no label.
    ServersContainer: () => () => null,
    // A link inside of a button cannot be reached. The button changes the URL too.
    DeepLink: () => (properties) => createElement('span', null, properties.text),
    InfoContainer: (Info) => (properties) => createElement('section', { 'aria-label': 'About the API' }, createElement(Info, properties)),
    operations: (Operations) => (properties) =>
      createElement(
        Fragment,
        null,
        createElement('h2', { className: 'operations-title' }, 'Operations'),
        createElement(Operations, properties),
      ),
  },
})

const reference = document.querySelector('#reference')
new MutationObserver(() => {
  for (const body of reference.querySelectorAll('textarea:not([aria-label])')) body.ariaLabel = 'Request body'
  for (const example of reference.querySelectorAll('pre.microlight:not([tabindex])')) example.tabIndex = 0
}).observe(reference, { childList: true, subtree: true })

const assets = { script: '/docs/assets/swagger-ui-bundle.js', style: '/docs/assets/swagger-ui.css' }

/** Loads Swagger UI, which replaces the list of operations by itself. It opens the operation that the URL names. */
let loading
const load = () => {
  loading ??= new Promise((resolve, reject) => {
    document.querySelector('#progress').textContent = 'Loading…'
    const style = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: assets.style })
    // The corrections come after it.
    document.querySelector('link[rel=stylesheet]').before(style)
    const script = Object.assign(document.createElement('script'), { src: assets.script, onload: resolve, onerror: reject })
    document.head.append(script)
  })
    .then(
      () =>
        new Promise((onComplete) => {
          SwaggerUIBundle({
            url: '/v1/openapi.json',
            dom_id: '#reference',
            deepLinking: true,
            // Drawing all operations takes seconds on a phone.
            docExpansion: 'none',
            tryItOutEnabled: true,
            validatorUrl: null,
            plugins: [corrections],
            onComplete,
          })
        }),
    )
    .catch(() => {
      loading = undefined
      document.querySelector('#progress').textContent = 'Loading failed. Check the connection and try again.'
    })
  return loading
}

const isOperation = () => location.hash.startsWith('#/')
if (isOperation()) load()
addEventListener('hashchange', () => isOperation() && load())
document
  .querySelector('#enter-token')
  .addEventListener('click', () => load().then(() => reference.querySelector('.btn.authorize')?.click()))
// A link whose operation is in the URL already, after a failure.
reference.addEventListener('click', ({ target }) => target.closest('.overview a[href^="#/"]') && isOperation() && load())
// The download begins when a pointer or the focus comes to an operation.
const preload = () => {
  for (const [as, href] of Object.entries(assets))
    document.head.append(Object.assign(document.createElement('link'), { rel: 'preload', as, href }))
}
for (const type of ['pointerover', 'focusin']) reference.querySelector('.overview').addEventListener(type, preload, { once: true })
