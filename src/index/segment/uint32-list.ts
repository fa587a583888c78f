/** A growing list of unsigned 32-bit numbers: a tenth of the memory of an array of objects. */
export class Uint32List {
  items: Uint32Array;
  length = 0;

  constructor(capacity = 1024) {
    this.items = new Uint32Array(capacity);
  }

  push(value: number): void {
    if (this.length === this.items.length) {
      const grown = new Uint32Array(this.items.length * 2);
      grown.set(this.items);
      this.items = grown;
    }
    this.items[this.length++] = value;
  }
}
