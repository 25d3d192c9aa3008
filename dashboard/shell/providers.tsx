import './mantine.css'
import './shell.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { setNonce } from 'get-nonce'
import { lazy, Suspense, type ReactNode } from 'react'
import { ConfirmProvider } from './confirm.tsx'
import { cssVariables, theme } from './theme.ts'

/** The nonce of the page: styles that are made while it runs carry it, or its policy refuses them. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
// The part of Mantine that keeps a page from scrolling behind a dialog asks for it here.
setNonce(nonce)

/** Nothing is said before somebody does something: behind the first page, then, and without it where it cannot be had. */
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
