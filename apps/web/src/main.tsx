/** The page: connects to the server it came from and draws what it reports. */
import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './styles/tokens.css';
import './styles/base.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { z } from 'zod';
import { keepForOffline } from './alone/service-worker.ts';
import { App } from './app/App.tsx';
import { followLanguage } from './i18n/i18n.ts';
import { NodeSessionContext } from './run/node-session.ts';
import { useOpenNode } from './run/open-node.ts';
import { offerPageHandle } from './run/page-handle.ts';

// Compiled validators need eval, which the content security policy refuses; even trying is reported as a violation.
z.config({ jitless: true });

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id "root"');

const queries = new QueryClient({
  // The node says itself when something changed; asking again on focus would only cost.
  defaultOptions: {
    queries: { retry: false, refetchOnWindowFocus: false, refetchOnReconnect: false, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
});

offerPageHandle();
if (import.meta.env.MODE === 'site') void keepForOffline(useOpenNode.getState().home.connection);

function Page() {
  const session = useOpenNode((state) => state.session);
  return (
    <NodeSessionContext value={session}>
      <QueryClientProvider client={queries}>
        <App />
      </QueryClientProvider>
    </NodeSessionContext>
  );
}

// The first words are in the right language: nothing is said twice.
void followLanguage().finally(() =>
  createRoot(root).render(
    <StrictMode>
      <Page />
    </StrictMode>,
  ),
);
