import { accessSync, constants } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'

/** The headless shell comes first: it is Chromium without windows and menus, and takes a seventh less processor time. */
const usual = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Path of Chromium, from CHROMIUM_PATH or a usual location. Without it, tests that need Chromium are skipped. */
export const chromiumPath = [process.env['CHROMIUM_PATH'] ?? '', ...usual].find((path) => {
  try {
    accessSync(path, constants.X_OK)
    return path !== ''
  } catch {
    return false
  }
})

/** The hidden pages of the address bar, which take 40 % of the processor time of opening a page. */
const addressBar = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']

/** Features that Playwright disables. Its list is repeated here because Chromium reads only the last one. */
const disabledByPlaywright = [
  'AimEnabled',
  'AutoDeElevate',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'BlockOriginHeaderModificationOnRedirect',
  'DestroyProfileOnBrowserClose',
  'DialMediaRouteProvider',
  'GlobalMediaControls',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'Translate',
]

/** A page of a test ends before optimized code pays: without its compilers, a page takes an eighth less processor time. */
const withoutOptimization = ['--max-lazy', '--no-maglev', '--no-turbofan', '--single-threaded-gc']

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${[...addressBar, ...disabledByPlaywright].join(',')}`,
  `--js-flags=${withoutOptimization.join(' ')}`,
]

export const startChromium = (): Promise<Browser> => chromium.launch({ executablePath: chromiumPath ?? '', args: flags })

let started: Promise<Browser> | undefined

/**
 * Returns the browser that the test files of this process share; starts it if it is not running. It ends with the process. The tests
 * keep their contexts apart, and close them.
 */
export async function sharedChromium(): Promise<Browser> {
  const running = await started
  if (running?.isConnected() === true) return running
  started = startChromium()
  return started
}
