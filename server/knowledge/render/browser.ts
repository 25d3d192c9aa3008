import { chromium, type Browser } from 'playwright-core'
import type { BrowserOptions } from './messages.ts'

const startMs = 30_000

const args = [
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
  // Nothing but the proxy is spoken to, not even a name server: what would go around it has nowhere to go.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
]

/** Nobody listens there: whatever the browser asks for outside of a page is refused. */
const nowhere = 'http://127.0.0.1:1'

/** @throws Error when it does not start */
export function startBrowser({ executablePath, folder, sandbox }: BrowserOptions): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args,
    chromiumSandbox: sandbox,
    proxy: { server: nowhere },
    env: { LANG: 'C.UTF-8', TZ: 'UTC', HOME: folder, TMPDIR: folder },
    timeout: startMs,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  })
}
