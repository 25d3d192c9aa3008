// Makes the page of a proposal more comfortable: everything also works without it.

const viewedAfterMs = 2000
const tickMs = 250
const signaturePad = '/p/assets/signature-pad.js'
const totalsModule = '/p/assets/live-totals.js'
/** Screen readers announce a total after a pause, so that typing a quantity announces it once. */
const announceAfterMs = 600

/** Confirms a view after two visible seconds and a touch, a key or scrolling: link previews that run scripts do none of these. */
function confirmView(url) {
  let visibleMs = 0
  let hasActed = false
  const confirm = () => {
    if (!hasActed || visibleMs < viewedAfterMs) return
    clearInterval(timer)
    for (const type of actions) removeEventListener(type, act, listening)
    navigator.sendBeacon(url, new URLSearchParams())
  }
  const act = ({ isTrusted }) => {
    hasActed ||= isTrusted
    confirm()
  }
  const actions = ['pointerdown', 'touchstart', 'keydown', 'scroll', 'wheel']
  const listening = { passive: true, capture: true }
  for (const type of actions) addEventListener(type, act, listening)
  const timer = setInterval(() => {
    if (document.visibilityState === 'visible') visibleMs += tickMs
    confirm()
  }, tickMs)
}

/** Offers to draw the signature. */
function offerDrawing(form) {
  const methods = form.querySelector('.methods')
  const area = form.querySelector('.pad')
  const canvas = form.querySelector('canvas')
  const drawing = form.elements.namedItem('drawing')
  let pad
  const resize = () => {
    const scale = Math.max(devicePixelRatio, 1)
    canvas.width = canvas.offsetWidth * scale
    canvas.height = canvas.offsetHeight * scale
    canvas.getContext('2d').scale(scale, scale)
    pad.fromData(pad.toData())
  }
  const choose = async () => {
    const isDrawn = form.elements.namedItem('method').value === 'drawn'
    area.hidden = !isDrawn
    if (!isDrawn || pad !== undefined) return
    const { default: SignaturePad } = await import(signaturePad)
    pad = new SignaturePad(canvas)
    resize()
    addEventListener('resize', resize)
  }
  methods.hidden = false
  methods.addEventListener('change', () => void choose())
  area.querySelector('button').addEventListener('click', () => pad?.clear())
  form.addEventListener('submit', () => {
    if (pad === undefined || pad.isEmpty()) return
    const strokes = pad.toData().map(({ points }) => points.map(({ x, y }) => [Math.round(x * 10) / 10, Math.round(y * 10) / 10]))
    drawing.value = JSON.stringify({ width: canvas.offsetWidth, height: canvas.offsetHeight, strokes })
  })
}

/** Shows the totals of the choices at once. Without it, a button asks the server for them. */
async function showTotals(form) {
  const data = document.getElementById('offer')
  if (data === null) return
  const { liveTotals, totalMark } = await import(totalsModule)
  const offer = JSON.parse(data.textContent)
  const announcement = form.querySelector('.announcement')
  let timer
  const show = () => {
    const totals = liveTotals(offer, new URLSearchParams(new FormData(form)))
    if (totals !== undefined) {
      document.querySelector('.totals').innerHTML = totals.rows
      form.elements.namedItem('total').value = totals.totalAmount
      for (const [index, line] of document.querySelectorAll('.lines > li').entries()) {
        line.querySelector('.details').textContent = totals.lines[index].details
        line.querySelector('.amount').textContent = totals.lines[index].amount
      }
    }
    const total = totals?.total ?? '–'
    document.querySelector('.totals .total dd').textContent = total
    form.querySelector('.consent span').textContent = offer.consent.replace(totalMark, () => total)
    clearTimeout(timer)
    timer = setTimeout(() => (announcement.textContent = totals && `${offer.words.total}: ${totals.total}`), announceAfterMs)
  }
  form.elements.namedItem('update').hidden = true
  document.querySelector('.lines').addEventListener('input', show)
  // Browsers restore the choices when the visitor comes back.
  addEventListener('pageshow', show)
  show()
}

const { view } = document.querySelector('main').dataset
if (view !== undefined) confirmView(view)
const acceptance = document.querySelector('form[action$="/accept"]')
if (acceptance !== null) {
  offerDrawing(acceptance)
  void showTotals(acceptance)
}
