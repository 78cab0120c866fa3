// <podscope-player>: shows a scenario or lesson of Podscope in another page. The embedding page loads this script from
// the site that it shows; docs/learn/embedding.md describes attributes, methods and events.
(() => {
  const version = 1;
  const site = new URL('./', document.currentScript.src);
  const events = ['ready', 'step', 'answer'];

  class PodscopePlayer extends HTMLElement {
    static observedAttributes = ['scenario', 'lesson', 'seed', 'at', 'profile'];
    #frame = document.createElement('iframe');
    #waiting = new Map();
    #nextId = 1;
    #isReady;
    #setReady;
    #receive = (message) => this.#hear(message);

    constructor() {
      super();
      this.#expectReady();
      const style = document.createElement('style');
      style.textContent = ':host { display: block; height: 30rem } iframe { width: 100%; height: 100%; border: 0 }';
      this.#frame.title = 'Podscope';
      this.#frame.allow = 'fullscreen';
      this.attachShadow({ mode: 'open' }).append(style, this.#frame);
    }

    connectedCallback() {
      addEventListener('message', this.#receive);
      this.#show();
    }

    disconnectedCallback() {
      removeEventListener('message', this.#receive);
      this.#reset('the player was removed from the page');
    }

    attributeChangedCallback(_name, before, now) {
      if (!this.isConnected || before === now) return;
      this.#reset('another scenario was opened');
      this.#show();
    }

    /** Plays a scenario: { scenario, seed, profile, at }, or a lesson: { lesson, text, translation, step }. */
    load(what) {
      const isLesson = what.lesson !== undefined || what.text !== undefined;
      return this.#ask({ do: isLesson ? 'loadLesson' : 'load', ...what });
    }

    /** Lets time pass, at `speed` virtual seconds per second. */
    play(speed) {
      return this.#ask({ do: 'play', ...(speed === undefined ? {} : { speed }) });
    }

    pause() {
      return this.#ask({ do: 'pause' });
    }

    /** Shows a second of the scenario. */
    seek(seconds) {
      return this.#ask({ do: 'seek', seconds });
    }

    /** Returns { seconds, paused, scenario, lesson, step }. */
    state() {
      return this.#ask({ do: 'state' });
    }

    #expectReady() {
      this.#isReady = new Promise((resolve) => {
        this.#setReady = resolve;
      });
    }

    // Rejects all requests without an answer, because the page in the frame will be replaced.
    #reset(reason) {
      for (const { reject } of this.#waiting.values()) reject(new Error(reason));
      this.#waiting.clear();
      this.#expectReady();
    }

    #show() {
      const address = new URL(site);
      address.searchParams.set('embed', '');
      address.searchParams.set('host', location.origin);
      for (const name of ['scenario', 'lesson', 'seed', 'profile']) {
        const value = this.getAttribute(name);
        if (value !== null) address.searchParams.set(name, value);
      }
      const at = this.getAttribute('at');
      if (at !== null) address.searchParams.set('time', at);
      if (!this.hasAttribute('autoplay')) address.searchParams.set('paused', '');
      this.#frame.src = address.href;
    }

    #ask(request) {
      const id = this.#nextId++;
      const answer = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
      this.#isReady.then(() => {
        if (this.#waiting.has(id))
          this.#frame.contentWindow.postMessage({ podscope: version, id, request }, site.origin);
      });
      return answer;
    }

    #hear({ source, origin, data }) {
      // Only the frame of this element, and only while it shows the site.
      if (source !== this.#frame.contentWindow || origin !== site.origin || data?.podscope !== version) return;
      const waiting = this.#waiting.get(data.reply);
      if (waiting) {
        this.#waiting.delete(data.reply);
        if (data.error === undefined) waiting.resolve(data.state);
        else waiting.reject(new Error(data.error));
        return;
      }
      if (!events.includes(data.event)) return;
      if (data.event === 'ready') this.#setReady();
      const { podscope: _version, event, ...detail } = data;
      this.dispatchEvent(new CustomEvent(event, { detail }));
    }
  }

  customElements.define('podscope-player', PodscopePlayer);
})();
