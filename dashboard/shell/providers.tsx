import './mantine.css'
import './shell.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { setNonce } from 'get-nonce'
import { lazy, Suspense, type ReactNode } from 'react'
import { ConfirmProvider } from './confirm.tsx'
import { cssVariables, theme } from './theme.ts'

/** The nonce of the page. Styles that are created at run time need it, or the content security policy blocks them. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
// The library that Mantine uses to lock scrolling behind dialogs reads the nonce from here.
setNonce(nonce)

/** Loaded after the first page, because notifications follow user actions. If loading fails, the dashboard works without them. */
const Toasts = lazy(() => import('./toasts.tsx').catch(() => ({ default: () => null })))

export function Providers({ queries, children }: { queries: QueryClient; children: ReactNode }) {
  return (
    <QueryClientProvider client={queries}>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto" getStyleNonce={() => nonce}>
        <Suspense>
          <Toasts />
        </Suspense>
        <ConfirmProvider>{children}</ConfirmProvider>
      </MantineProvider>
    </QueryClientProvider>
  )
}
