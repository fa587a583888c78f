/**
 * How the user agreed to what a memory says, without anybody reading language: their own words quoted letter by letter, a
 * choice in the client's dialog, a typed formula (`heed yes CODE`), a command in a terminal, a click on the local page.
 */
export const DOORS = ["quote", "dialog", "formula", "terminal", "page"] as const;
export type Door = (typeof DOORS)[number];
