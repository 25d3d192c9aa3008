import { Container, Paper, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Page } from '../shell/page.tsx'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'

/** The layout of pages with a single form, outside of organizations. */
export function AuthFrame({ title, about, children }: { title: string; about?: ReactNode; children: ReactNode }) {
  const messages = useMessages(sharedMessages)
  return (
    <Container component="main" id="content" size={460} py={{ base: 'xl', sm: 64 }}>
      <Text fw={700} mb="lg" c="var(--mantine-primary-color-light-color)">
        {messages.product}
      </Text>
      <Page title={title} description={about}>
        <Paper withBorder p={{ base: 'md', sm: 'lg' }}>
          {children}
        </Paper>
      </Page>
    </Container>
  )
}
