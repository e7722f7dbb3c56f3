/** Answers media queries as a screen of so many pixels does, while `run` runs. */
export async function withNarrowScreen(
  run: () => Promise<void>,
  options: { width?: number } = {},
) {
  const { width = 400 } = options;
  const { matchMedia } = window;
  window.matchMedia = query => {
    const most = /max-width:\s*([\d.]+)px/.exec(query);
    return {
      matches: most !== null && Number(most[1]) >= width,
      media: query,
      onchange: null,
      addListener: () => {},
      removeListener: () => {},
      addEventListener: () => {},
      removeEventListener: () => {},
      dispatchEvent: () => true,
    };
  };
  try {
    await run();
  } finally {
    window.matchMedia = matchMedia;
  }
}
