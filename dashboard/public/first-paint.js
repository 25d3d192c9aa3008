// The colours are known before the first paint, so a dark screen is never white for a moment. It is a file, since the page allows no script within.
;(() => {
  let chosen = 'auto'
  try {
    chosen = localStorage.getItem('mantine-color-scheme-value') ?? 'auto'
  } catch {
    // Who keeps nothing has the colours of the system.
  }
  const dark = chosen === 'dark' || (chosen === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.mantineColorScheme = dark ? 'dark' : 'light'
})()
