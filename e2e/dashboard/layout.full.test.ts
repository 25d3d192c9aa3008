import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { chromiumPath, dashboard, expectNoFaults, setColorScheme } from './browser.ts'
import { emptyPages, extremeRecords, type ShownPage } from './extreme-data.ts'
import { layoutFaults } from './layout-faults.ts'

/** The folder for screenshots of all pages. Unset: no screenshots. */
const screenshots = process.env['LAYOUT_SCREENSHOTS']
/** Names of the pages to show; all by default. */
const chosen = process.env['LAYOUT_PAGES']?.split(',')

const sizes = [
  { width: 360, height: 780 },
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 },
]

describe.skipIf(chromiumPath === undefined)('pages at every width in both themes', () => {
  const at = dashboard()
  const found: string[] = []
  afterAll(() => {
    if (found.length > 0) console.log(found.join('\n'))
  })

  async function faultsOf(pages: readonly ShownPage[], kind: string): Promise<string[]> {
    const faults: string[] = []
    const page = await at.open(`/${at.slug}`)
    for (const { name, path, isList = false } of pages.filter((each) => chosen?.includes(each.name) ?? true)) {
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.goto(`/app${path}`)
      await settled(page)
      for (const size of sizes) {
        await page.setViewportSize(size)
        await settled(page)
        const where = `${kind} ${name} ${size.width}`
        faults.push(...(await layoutFaults(page)).map((fault) => `${where}: ${fault}`))
        if (isList && size.width === 1440) {
          const top = await page.evaluate<number>(`document.querySelector('[data-index="0"]')?.getBoundingClientRect().top ?? 0`)
          if (top >= 360) faults.push(`${where}: the first row is at ${top} px`)
        }
        if (screenshots === undefined) continue
        await mkdir(screenshots, { recursive: true })
        for (const colorScheme of ['dark', 'light'] as const) {
          await setColorScheme(page, colorScheme)
          await page.screenshot({ path: join(screenshots, `${kind}-${name}-${size.width}-${colorScheme}.png`) })
        }
      }
    }
    expectNoFaults(page)
    await page.context().close()
    found.push(...faults)
    return faults
  }

  test('without records', async () => {
    expect(await faultsOf(emptyPages(at.slug), 'empty')).toEqual([])
  }, 3_600_000)

  test('with long names, other scripts, large amounts and many tags', async () => {
    const records = await extremeRecords(at)
    expect(await faultsOf([...emptyPages(at.slug), ...records], 'extreme')).toEqual([])
  }, 3_600_000)
})

/** Waits until the page has its title and data, and its layout has not changed for some frames. */
async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await expect.poll(() => page.locator('.mantine-Skeleton-root, .mantine-Loader-root').count()).toBe(0)
  await page.evaluate(`(async () => {
    let before = ''
    for (let frames = 0; frames < 5;) {
      await new Promise((drawn) => requestAnimationFrame(drawn))
      const now = [document.documentElement.scrollHeight, document.querySelectorAll('*').length].join()
      frames = now === before ? frames + 1 : 0
      before = now
    }
  })()`)
}
