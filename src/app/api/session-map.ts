/** How large the map may be: what sixty lines take, none, or so many characters. */
export type MapSetting = "auto" | "off" | number;

/** Whose map, and how large. */
export interface MapRequest {
  /** The shorter one that a subagent is given. Default: that of a session. */
  isForSubagent?: boolean | undefined;
  /** Characters that it may take. Default: what the setting `map` says. */
  budgetChars?: number | undefined;
}

/** The map of what is known here, as a fresh session is told it. */
export interface SessionMap {
  /** What enters the context; empty where nothing is known, or no map is told. */
  text: string;
  budgetChars: number;
  lines: MapEntry[];
  /** How many facts have no line. */
  leftCount: number;
  /** The handles of those among them that are named all the same: their name alone stands in the text. */
  named: string[];
  /** What is to be answered of this place first, with the answers: why memories of another one have no line. */
  question?: string | undefined;
}

/** One line of the map. */
export interface MapEntry {
  /** More than one for look-alikes that are folded into it. */
  handles: string[];
  type: string;
  text: string;
  /** Why it stands where it stands: salience, use, scope, date. */
  why: string;
}
