import { html, type Html } from './html.ts'

/** Returns the messages about a form that was sent. */
export const alertOf = (errors: readonly string[]): Html | null =>
  errors.length === 0 ? null : html`<div class="alert" role="alert">${errors.map((error) => html`<p>${error}</p>`)}</div>`
