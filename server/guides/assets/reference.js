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

SwaggerUIBundle({
  url: '/v1/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  // Drawing all operations takes seconds on a phone.
  docExpansion: 'none',
  tryItOutEnabled: true,
  validatorUrl: null,
  plugins: [corrections],
})
