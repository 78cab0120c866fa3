// The launch page of a lesson package for learning platforms: plays the lesson in a frame and reports to the platform
// through the API of SCORM 1.2. `podscope lessons export --scorm` writes the packages.
(() => {
  // Returns the API object of a window. The browser throws an error if the window has another origin.
  const apiOf = (frame) => {
    try {
      return frame.API;
    } catch {
      return undefined;
    }
  };

  // Returns the platform's API object: in this window, those around it, or those around its opener.
  const findApi = (start) => {
    for (let frame = start, depth = 0; frame && depth < 10; depth++) {
      const found = apiOf(frame);
      if (found) return found;
      if (frame.parent === frame) return frame.opener ? findApi(frame.opener) : undefined;
      frame = frame.parent;
    }
    return undefined;
  };

  const api = findApi(window);
  const get = (name) => api?.LMSGetValue(name) ?? '';
  const set = (name, value) => api?.LMSSetValue(name, String(value));
  const started = Date.now();

  // HHHH:MM:SS.SS
  const sessionTime = () => {
    const seconds = (Date.now() - started) / 1_000;
    const two = (number) => String(Math.floor(number)).padStart(2, '0');
    return `${String(Math.floor(seconds / 3_600)).padStart(4, '0')}:${two((seconds / 60) % 60)}:${two(seconds % 60)}`;
  };

  const readProgress = () => {
    try {
      const { done, right } = JSON.parse(get('cmi.suspend_data'));
      return { done: new Set(done), right: new Map(Object.entries(right)) };
    } catch {
      return { done: new Set(), right: new Map() };
    }
  };

  const run = async () => {
    const { text, translation, title, steps } = await (await fetch('./lesson.json')).json();
    document.title = title;
    api?.LMSInitialize('');
    const progress = readProgress();
    const questions = steps.filter(({ isQuestion }) => isQuestion);
    const isKnown = (id) => steps.some((step) => step.id === id);
    const report = () => {
      const isComplete = steps.every(({ id }) => progress.done.has(id));
      set('cmi.core.lesson_status', isComplete ? 'completed' : 'incomplete');
      if (questions.length > 0) {
        const right = questions.filter(({ id }) => progress.right.get(id) === true).length;
        set('cmi.core.score.min', 0);
        set('cmi.core.score.max', 100);
        set('cmi.core.score.raw', Math.round((100 * right) / questions.length));
      }
      const data = { done: [...progress.done], right: Object.fromEntries(progress.right) };
      set('cmi.suspend_data', JSON.stringify(data));
      set('cmi.core.session_time', sessionTime());
      api?.LMSCommit('');
    };
    const status = get('cmi.core.lesson_status');
    if (status === '' || status === 'not attempted') report();

    const player = document.querySelector('podscope-player');
    player.addEventListener('answer', ({ detail }) => {
      // The first answer counts; a run that was changed decides nothing.
      if (detail.right !== null && !progress.right.has(detail.step)) progress.right.set(detail.step, detail.isRight);
      report();
    });
    player.addEventListener('step', ({ detail }) => {
      set('cmi.core.lesson_location', detail.step);
      if (detail.phase === 'over') progress.done.add(detail.step);
      report();
    });
    let isFinished = false;
    addEventListener('pagehide', () => {
      if (isFinished) return;
      isFinished = true;
      report();
      set('cmi.core.exit', steps.every(({ id }) => progress.done.has(id)) ? '' : 'suspend');
      api?.LMSFinish('');
    });
    const place = get('cmi.core.lesson_location');
    await player.load({ text, translation, ...(isKnown(place) ? { step: place } : {}) });
  };
  void run();
})();
