import { createHash } from 'node:crypto'
import { withoutDirectionControls } from '../../lib/direction-controls.ts'
import type { Formats } from './formats.ts'
import { alertOf } from './alert.ts'
import { acceptanceForm, hasChoices } from './choices.ts'
import { html, jsonData, type Html } from './html.ts'
import { liveOffer, totalMark } from './live-totals.ts'
import type { QuestionState } from './questions.ts'
import { sellerName } from '../seller.ts'
import { canChoose } from './signing.ts'
import type { Visit } from './visit.ts'

/** A form that was sent with mistakes: the messages about them, and the values to show again. */
export interface FormState {
  readonly errors: readonly string[]
  readonly name: string
  readonly reason: string
  readonly question?: QuestionState
}

export const untouched: FormState = { errors: [], name: '', reason: '' }

/** Returns the sentence that signers agree to. */
export const consentWording = (visit: Visit, { words, amount }: Formats): string =>
  consentOf(visit, words, amount(visit.proposal.totalAmount))

/** The certificate contains the sentence as the page shows it. */
const consentOf = ({ seller }: Visit, { page }: Formats['words'], total: string): string =>
  page.consent(withoutDirectionControls(sellerName(seller)), total)

/** Returns a hash of the sentence, whatever the total. A form with another one was shown before a change of the seller or the language. */
export const wordingHash = (visit: Visit, { words }: Formats): string =>
  createHash('sha256')
    .update(consentOf(visit, words, totalMark))
    .digest('hex')

/** Returns what choices need: the field that says that the form has them, and for the script the offer and a place for the total. */
const choiceFields = (visit: Visit, { words, locale }: Formats): Html => {
  const consent = consentOf(visit, words, totalMark)
  return html`<input type="hidden" name="choices" value="yes" />
    <script type="application/json" id="offer">
      ${jsonData(liveOffer(visit.proposal, { locale, words: words.document, consent }))}
    </script>
    <p class="announcement" role="status"></p>`
}

/** Returns the forms that accept and decline a proposal. They work without JavaScript. */
export function answerForms(visit: Visit, formats: Formats, { errors, name, reason }: FormState): Html {
  const { words } = formats
  const { secret, proposal } = visit
  const chooses = canChoose(visit) && hasChoices(proposal.items)
  const hash = html`<input type="hidden" name="contentHash" value="${proposal.contentHash}" />`
  return html`<section class="answer" aria-labelledby="sign">
<h2 id="sign">${words.page.signHeading}</h2>
${alertOf(errors)}
<form method="post" action="/p/${secret}/accept" id="${acceptanceForm}">
${hash}
<input type="hidden" name="total" value="${proposal.totalAmount}">
<input type="hidden" name="wordingHash" value="${wordingHash(visit, formats)}">
${chooses ? choiceFields(visit, formats) : null}
<label for="name">${words.page.yourName}</label>
<input id="name" name="name" type="text" autocomplete="name" required maxlength="200" dir="auto" value="${name}">
<fieldset class="methods" hidden>
<legend>${words.document.signature}</legend>
<label><input type="radio" name="method" value="typed" checked> ${words.page.typeSignature}</label>
<label><input type="radio" name="method" value="drawn"> ${words.page.drawSignature}</label>
<div class="pad" hidden><canvas role="img" aria-label="${words.page.drawSignature}"></canvas><button type="button" class="plain">${words.page.clearDrawing}</button></div>
<input type="hidden" name="drawing">
</fieldset>
<label class="consent"><input type="checkbox" name="consent" value="yes" required> <span>${consentWording(visit, formats)}</span></label>
<button type="submit">${words.page.accept}</button>
${chooses ? html`<button type="submit" class="plain" name="update" formaction="/p/${secret}/choose" formnovalidate>${words.page.updateTotal}</button>` : null}
</form>
<details${reason === '' ? null : html` open`}>
<summary>${words.page.decline}</summary>
<form method="post" action="/p/${secret}/decline">
${hash}
<label for="reason">${words.page.declineReason}</label>
<textarea id="reason" name="reason" rows="3" maxlength="500" dir="auto">${reason}</textarea>
<button type="submit" class="plain">${words.page.declineSubmit}</button>
</form>
</details>
</section>`
}

/** Returns the form that replaces the script: it confirms that a person has opened the page. */
export const viewForm = ({ secret }: Visit, { words }: Formats): Html =>
  html`<noscript
    ><form method="post" action="/p/${secret}/view"><button type="submit" class="plain">${words.page.confirmView}</button></form></noscript
  >`
