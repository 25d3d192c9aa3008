import { html, type Html } from './html.ts'

/** Returns an alert with one paragraph per error; null if there are none. */
export const alertOf = (errors: readonly string[]): Html | null =>
  errors.length === 0 ? null : html`<div class="alert" role="alert">${errors.map((error) => html`<p>${error}</p>`)}</div>`
