import { chromium, type Browser } from 'playwright-core'
import type { BrowserOptions } from './messages.ts'

/** The hidden pages of the address bar, which Chromium would load for each context. */
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

const args = [
  `--disable-features=${[...addressBar, ...disabledByPlaywright].join(',')}`,
  '--disable-gpu',
  '--disable-quic',
  '--disable-sync',
  '--disable-component-update',
  '--disable-background-networking',
  '--disable-domain-reliability',
  '--no-first-run',
  '--no-pings',
  '--mute-audio',
  '--blink-settings=imagesEnabled=false',
  '--js-flags=--max-old-space-size=512',
  // Only the proxy is reachable, not even a name server: requests that bypass it fail.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
]

/** No server listens there: requests of the browser outside of pages fail. */
const unreachableProxy = 'http://127.0.0.1:1'

/** @throws Error when it does not start */
export function startBrowser({ executablePath, folder, sandbox }: BrowserOptions): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args,
    chromiumSandbox: sandbox,
    proxy: { server: unreachableProxy },
    env: { LANG: 'C.UTF-8', TZ: 'UTC', HOME: folder, TMPDIR: folder },
    // The process that started this one ends it if the browser does not start.
    timeout: 0,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  })
}
