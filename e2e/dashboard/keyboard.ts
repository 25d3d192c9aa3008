import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { expectNoFaults } from './browser.ts'

type Role = Parameters<Page['getByRole']>[0]
type Name = string | RegExp

/** No page of these tests has more tab stops. */
const maxStops = 150
/** The time limit for what a key causes, long enough for a machine that runs other programs too. */
const timeoutMs = 60_000

/** Uses a page with the keyboard alone, and records tab stops that a user cannot see. */
export interface Keyboard {
  readonly page: Page
  /** Opens another URL, as the address bar does. */
  visit(address: string): Promise<void>
  /** Presses Tab, or Shift+Tab, until the control has the focus. Throws if the focus is lost. */
  to(role: Role, name: Name, options?: { back?: boolean }): Promise<void>
  /** Moves to a control that has no role. */
  reach(control: Locator): Promise<void>
  /** Moves to the control and presses a key: Enter, unless told. */
  press(role: Role, name: Name, key?: string): Promise<void>
  /** Waits for a dialog, and presses a button of it, whose name can be that of the button which opened the dialog. */
  answer(button: Name): Promise<void>
  /** Moves to a text field and replaces its text. */
  fill(name: Name, text: string, role?: Role): Promise<void>
  /** Moves to a field with a list, types the start of an option, and takes the first one with the name. */
  choose(name: Name, typed: string, option: Name): Promise<void>
  /** Moves to a select element and types the start of an option. */
  select(name: Name, option: string): Promise<void>
  /** Opens a menu with its button, and activates an item with the arrow keys. */
  menu(button: Name, item: Name): Promise<void>
  /** Types where the focus is. */
  type(text: string): Promise<void>
  /** Presses keys where the focus is. */
  keys(...names: string[]): Promise<void>
  /** Waits until a dialog, if it is still open, has closed, and its page has the focus. */
  closed(dialog: Name): Promise<void>
  /** Expects that each stop was visible and marked, and that the page reported no error. Closes the page. */
  end(): Promise<void>
}

/** @param page a page that was loaded, and not used yet */
export function keyboardOf(page: Page): Keyboard {
  const faults = new Set<string>()
  // A page that has just been loaded has no focus.
  let isFresh = true
  page.on('domcontentloaded', () => (isFresh = true))

  /** Checks the element with the focus, and the one that had it before. Returns its description. */
  const stop = async (): Promise<string> => {
    const { description, found } = await page.evaluate<{ description: string; found: string[] }>(checkStop)
    for (const fault of found) faults.add(`${new URL(page.url()).pathname}: ${fault}`)
    return description
  }
  const has = async (control: Locator): Promise<boolean> => (await control.and(page.locator(':focus')).count()) > 0
  /** Waits until an element has the focus: a dialog or a page that is left passes it on. */
  const expectFocus = async (): Promise<void> => {
    if (isFresh) return
    await expect
      .poll(() => page.evaluate(lastFocus), { timeout: timeoutMs, message: `the focus on ${page.url()}` })
      .toEqual({ isLost: false, last: expect.anything() })
  }
  const tabTo = async (control: Locator, back: boolean): Promise<void> => {
    await control.first().waitFor({ timeout: timeoutMs })
    await expectFocus()
    const stops: string[] = []
    for (let presses = 0; presses <= maxStops; presses += 1) {
      stops.push(await stop())
      if (await has(control)) {
        isFresh = false
        return
      }
      await page.keyboard.press(back ? 'Shift+Tab' : 'Tab')
    }
    throw new Error(`The Tab key does not reach ${control.toString()}. It reaches:\n${stops.join('\n')}`)
  }
  const named = (role: Role, name: Name): Locator => page.getByRole(role, { name, ...(typeof name === 'string' && { exact: true }) })

  const keyboard: Keyboard = {
    page,
    async visit(address) {
      await page.goto(address)
    },
    to: (role, name, { back = false } = {}) => tabTo(named(role, name), back),
    reach: (control) => tabTo(control, false),
    async press(role, name, key = 'Enter') {
      await keyboard.to(role, name)
      await page.keyboard.press(key)
    },
    async answer(button) {
      await page.locator('[role=dialog]:focus-within').waitFor({ timeout: timeoutMs })
      await keyboard.press('button', button)
    },
    async fill(name, text, role = 'textbox') {
      await keyboard.to(role, name)
      await page.keyboard.press('Control+A')
      await page.keyboard.type(text)
    },
    async choose(name, typed, option) {
      await keyboard.fill(name, typed, 'combobox')
      if (typed === '') await page.keyboard.press('ArrowDown')
      const first = named('option', option).first()
      await first.waitFor({ timeout: timeoutMs })
      const listed = (): Promise<string[]> => page.locator('[role=option]:visible').allInnerTexts()
      const isFiltered = async (): Promise<boolean> => (await listed()).every((text) => text.toLowerCase().includes(typed.toLowerCase()))
      // A list that is still to be filtered would take the choice back.
      await expect.poll(isFiltered, { timeout: timeoutMs }).toBe(true)
      await expect
        .poll(
          async () => {
            const chosen = page.locator('[role=option][data-combobox-selected]')
            if ((await first.and(chosen).count()) > 0) return true
            await page.keyboard.press('ArrowDown')
            return false
          },
          { timeout: timeoutMs },
        )
        .toBe(true)
      await page.keyboard.press('Enter')
    },
    async select(name, option) {
      await keyboard.to('combobox', name)
      await page.keyboard.type(option)
      const chosen = page.locator('select:focus option:checked')
      await expect.poll(() => chosen.textContent(), { timeout: timeoutMs }).toBe(option)
    },
    async menu(button, item) {
      await keyboard.press('button', button)
      const control = named('menuitem', item)
      await control.waitFor({ timeout: timeoutMs })
      for (let presses = 0; !(await has(control)); presses += 1) {
        if (presses > 20) throw new Error(`The arrow keys do not reach ${String(item)}`)
        await page.keyboard.press('ArrowDown')
        await stop()
      }
      await page.keyboard.press('Enter')
    },
    type: (text) => page.keyboard.type(text),
    async keys(...names) {
      for (const name of names) await page.keyboard.press(name)
    },
    async closed(dialog) {
      await named('dialog', dialog).waitFor({ state: 'hidden', timeout: timeoutMs })
      await expectFocus()
    },
    async end() {
      expectNoFaults(page)
      await page.context().close()
      expect([...faults]).toEqual([])
    },
  }
  return keyboard
}

/** Returns whether no element has the focus, and which one had it last. */
const lastFocus = `({
  isLost: document.activeElement === document.body || document.activeElement === null,
  last: globalThis.lastStop?.description ?? '',
})`

/**
 * Describes the element with the focus. Reports if it is not visible or covered, and if the element that had the focus before looks
 * as it did with it: a change of an outline, a shadow or a border, its own or that of an element around it, marks the focus.
 */
const checkStop = `(async () => {
  const found = []
  const looks = (element) => ['', '::before', '::after'].map((part) => {
    const style = getComputedStyle(element, part || null)
    const outline = style.outlineStyle === 'none' || parseFloat(style.outlineWidth) === 0 ? '' : style.outlineWidth + style.outlineColor
    return [outline, style.boxShadow, style.borderTopColor, style.borderTopWidth, style.borderBottomColor, style.borderBottomWidth].join()
  }).join()
  const around = (element) => {
    const label = element.closest('label') ?? element.labels?.[0]
    const parents = [element.parentElement, element.parentElement?.parentElement, label]
    return [element, ...parents, ...(element.parentElement?.children ?? []), ...(label?.querySelectorAll('*') ?? [])].filter(Boolean)
  }
  const endTransitions = (elements) => {
    for (const element of elements) for (const each of element.getAnimations()) if (each instanceof CSSTransition) each.finish()
  }
  const seen = (elements) => {
    endTransitions(elements)
    return elements.map(looks).join('|')
  }
  const describe = (element) => {
    const name = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent ?? ''
    const role = element.getAttribute('role') ?? element.tagName.toLowerCase()
    return (role + ' “' + name.replace(/\\s+/g, ' ').trim().slice(0, 60) + '”')
  }
  const before = globalThis.lastStop
  const element = document.activeElement
  if (before !== undefined && before.element !== element && before.element.isConnected && before.elements.every((each) => each.isConnected)) {
    if (seen(before.elements) === before.look) found.push('no focus indicator: ' + before.description)
  }
  if (element === null || element === document.body) {
    globalThis.lastStop = undefined
    return { description: 'nothing', found }
  }
  // The page marks it after an event.
  if (element.tagName === 'IFRAME') for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame)
  const description = describe(element)
  const elements = around(element)
  globalThis.lastStop = { element, elements, look: seen(elements), description }
  if (element.tabIndex < 0) {
    globalThis.lastStop = undefined
    return { description, found }
  }
  // A switch, a checkbox or a file input can be transparent over what shows it.
  const shown = parseFloat(getComputedStyle(element).opacity) === 0 || element.getBoundingClientRect().width <= 1
    ? element.labels?.[0] ?? element.parentElement : element
  // Rows that have just arrived can have moved it.
  shown.scrollIntoView({ block: 'nearest' })
  const { left, right, top, bottom, width, height } = shown.getBoundingClientRect()
  if (width === 0 || height === 0 || !shown.checkVisibility({ visibilityProperty: true, opacityProperty: true })) {
    found.push('not visible: ' + description)
  } else {
    const inside = [[(left + right) / 2, (top + bottom) / 2], [left + 3, top + 3], [right - 3, bottom - 3], [left + 3, bottom - 3], [right - 3, top + 3]]
    const isUncovered = inside.some(([x, y]) => {
      const top = document.elementFromPoint(x, y)
      return top !== null && (shown.contains(top) || top.contains(shown) && top !== document.documentElement && top !== document.body)
    })
    if (!isUncovered) found.push('covered: ' + description)
  }
  return { description, found }
})()`
