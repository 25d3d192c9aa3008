// Sets the color scheme and the density before the first paint, so that a dark page does not flash white and rows do not jump. A separate file because the content security policy blocks inline scripts.
;(() => {
  let chosen = 'auto'
  let density = null
  try {
    chosen = localStorage.getItem('mantine-color-scheme-value') ?? 'auto'
    density = localStorage.getItem('groundwork-density')
  } catch {
    // Without local storage, the system setting applies.
  }
  const page = document.documentElement.dataset
  const dark = chosen === 'dark' || (chosen === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches)
  page.mantineColorScheme = dark ? 'dark' : 'light'
  page.density = density ?? 'comfortable'
  addEventListener('storage', ({ key, newValue }) => {
    if (key === 'groundwork-density') page.density = newValue ?? 'comfortable'
  })
})()
