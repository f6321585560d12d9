import { type ReactNode, Suspense } from 'react';

export const metadata = { title: 'Notes' };

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <main>
          <Suspense>{children}</Suspense>
        </main>
      </body>
    </html>
  );
}
