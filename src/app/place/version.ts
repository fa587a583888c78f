declare const __HEED_VERSION__: string | undefined;

/** The version of this build; `0.0.0-source` when run from the sources, without the build that fills it in. */
export const HEED_VERSION: string = typeof __HEED_VERSION__ === "string" ? __HEED_VERSION__ : "0.0.0-source";
