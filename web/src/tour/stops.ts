// The tour of the paper: ten stops, each a question and a live experiment. Data only.
// Every number below is computed again by tests/web/facts.test.mjs.
import type { Setup } from "../setup";

export interface Stop {
  /** In the address: #tour=delay. */
  id: string;
  title: string;
  /** What the experiment is. */
  lead: string;
  question: string;
  choices: string[];
  /** Index of the right choice. */
  right: number;
  /** Paragraphs are separated by an empty line; *emphasis* and `code` may be used, here and in lead and look. */
  answer: string;
  /** What to look at while it runs. */
  look: string;
  /** What the page shows; the rest has its default. */
  setup: Partial<Setup> & Pick<Setup, "agents" | "steps" | "seed" | "runs" | "show">;
  /** Of the agents, for people. */
  names: string[];
  /** Is the page of theorems worth a look, too? */
  theory?: true;
}

const GREEDY = "q-learning:alpha=0.1,epsilon=0.1";
/** As printed, with the parameters of docs/reproduction.md. */
const PRINTED = "directed-delayed-q:eps1=0.02319,m=2,lambda=3.097,rho=1.46,learn=printed";
const PRINTED_GAMMA = "gamma=0.9356";
const LOCKUP = "directed-delayed-q:eps1=0.1,m=3,lambda=0,delay=full";

/** examples/models/lockup.json */
const lockup = `{"discount": 0.7, "reward_range": [0, 1], "start": 0, "P": {
 "0": {"0": [[1, 1, 0.25, false]], "1": [[1, 1, 0.5, false]]},
 "1": {"0": [[1, 0, 0.5, false]], "1": [[1, 2, 0, false]]},
 "2": {"0": [[1, 0, 1, false]], "1": [[1, 2, 1, false]]}}}`;

export const stops: readonly Stop[] = [
  {
    id: "greedy",
    title: "Random steps are not enough",
    lead:
      "The paper’s own problem: a chain of 50 states. The left end pays 0.001, the right end pays 1, and one move in five goes the wrong way. " +
      "A Q-learner that takes a random action one time in ten (ε-greedy) starts at the left. Beside it, an agent that *only* moves at random, and one that knows the best policy.",
    question: "In how many of 100 runs of 10,000 steps does the learner earn more than the agent that moves at random?",
    choices: ["In nearly all of them: it learns", "In about half", "In about one in ten"],
    right: 2,
    answer:
      "In 10 of 100. The other 90 runs earn at most 7.1, where moving at random earns 190 on average and the best policy 7,439.\n\n" +
      "The learner meets the 0.001 in its first steps and comes to prefer it. From then on every step away from the left end is an accident, and its own choice brings it back. " +
      "In the run shown it never gets beyond state 23. Randomness explores near what is known. It does not explore *far*.",
    look: "*Visits*: how often each action was taken in each state. The learner’s pile up at the left end.",
    setup: {
      env: "chain:n=50,gamma=0.95",
      agents: [GREEDY, "random", "optimal"],
      steps: 10000,
      seed: "1",
      runs: 100,
      show: "visits",
    },
    names: ["ε-greedy", "random", "best policy"],
  },
  {
    id: "counting",
    title: "Count what you have tried",
    lead:
      "The same chain. The first agent counts how often it has tried each action in each state. When it chooses, it adds a bonus of 1/√n to the value of an action that it has tried n times; " +
      "what it has never tried comes first. The second agent is the ε-greedy learner of the last stop.",
    question: "The best policy earns 7,439. What does counting earn, on average over 100 runs?",
    choices: ["About 500, as ε-greedy does", "About 4,300", "About 7,300"],
    right: 1,
    answer:
      "4,314, where ε-greedy earns 487. What was tried less often looks better, so the agent is driven out of what it knows: 99 of 100 runs reach the reward at the right end.\n\n" +
      "But a count speaks of its own state only. It says “this move is new”, never “this move leads to where much is new”, and so the agent spends many steps " +
      "on evening out its counts near the start: one run earns 1.6, the best one 7,085. On a chain that is merely slow. Stop 5 shows where it is hopeless.",
    look: "*Visits*: counting spreads them over the chain, and then they gather at the right end.",
    setup: {
      env: "chain:n=50,gamma=0.95",
      agents: ["count-q:place=choice", GREEDY],
      steps: 10000,
      seed: "1",
      runs: 100,
      show: "visits",
    },
    names: ["counting", "ε-greedy"],
  },
  {
    id: "delay",
    title: "Wait before you believe",
    lead:
      "A chain of 10 states; moves slip one time in five, so a single sample may mislead. All four agents begin with every value at its maximum and lower it by what they see. " +
      "The first replaces a value at every step by its newest sample. The others are Delayed Q-learning: they gather m samples of a pair (an action in a state), and only then try one update, with the mean.",
    question: "Which of them earns the most in 10,000 steps?",
    choices: ["No delay: every sample counts at once", "m = 5", "m = 50", "m = 500"],
    right: 1,
    answer:
      "m = 5 earns 6,692 on average; the best policy earns 7,488. Without a delay it is 2,434: one slip erases what a value knew. In the run shown, the values of states 0 to 8 end below 0.01; the truth is 7.9 and more. " +
      "m = 50 earns 4,850; its means are better than it needs, and it pays for them in steps. m = 500 earns 1,130, hardly more than moving at random (996): " +
      "10,000 steps are 500 for each of the 20 pairs, and the first value changes at step 8,541.\n\n" +
      "The delay makes a proof possible: the mean of m samples is close to its expectation with a probability that can be computed. Stop 10 shows the m that this takes.",
    look: "*Q*: the first agent forgets all but the right end. With m = 500 the values stay at their maximum of 20 for most of the run.",
    setup: {
      env: "chain:n=10,gamma=0.95",
      agents: ["q-learning:q0=20,alpha=1,epsilon=0", ...[5, 50, 500].map((m) => `delayed-q:eps1=0.1,m=${m}`)],
      steps: 10000,
      seed: "1",
      runs: 100,
      show: "q",
    },
    names: ["no delay", "m = 5", "m = 50", "m = 500"],
  },
  {
    id: "intervals",
    title: "Look early, with a margin",
    lead:
      "Delayed Q-learning looks at its samples once, when all m = 68 are there. With *interval estimation* it looks after every sample n and adds a margin of ρ/√n, wide at first and narrower later. " +
      "All else is the same, and there are no exploration values yet. (These parameters reproduce the paper’s row of Delayed Q-learning.)",
    question:
      "In the paper’s Table 1, Delayed Q-learning earns 4,325 and the paper’s own agent, with intervals *and* exploration values, 7,090. How much of that gap do the intervals close alone?",
    choices: ["None of it", "About a fifth", "About four fifths", "All of it"],
    right: 2,
    answer:
      "About four fifths. Delayed Q-learning earns 4,326 here, and 6,646 with intervals: 84% of the way to 7,090. A value that is far too high shows after a few samples. In the run shown the first value falls at step 1 with intervals, and at step 939 without.\n\n" +
      "The paper compares its agent, which has intervals, with Delayed Q-learning, which has none. Its tables therefore cannot say how much of the gain is due to exploration values. " +
      "The baseline that would say it is the second agent of this stop, and the paper does not have it.",
    look: "*Q*: with intervals, values fall from their maximum much earlier.",
    setup: {
      env: "chain:n=10,gamma=0.85",
      agents: ["delayed-q:eps1=0.014,m=68", "delayed-q-ie:eps1=0.014,m=68,rho=0.1154"],
      steps: 10000,
      seed: "1",
      runs: 100,
      show: "q",
    },
    names: ["one look at 68 samples", "a look at every sample"],
  },
  {
    id: "e-values",
    title: "Counters that look ahead",
    lead:
      "A combination lock: 14 right moves in a row open it and pay 1; a wrong one leads back to the start. Both agents (DORA) add a bonus that falls with a counter. The first counts visits. " +
      "The second counts by *E-values*, exploration values: E begins at 1 for every pair and is learned like a value, but of a reward that is always 0. So it falls with every visit, and stays high as long as what *follows* is new.",
    question: "How often do they open the lock in 10,000 steps?",
    choices: [
      "The one that counts visits at most once, the other hundreds of times",
      "Both hundreds of times",
      "Both at most once",
    ],
    right: 0,
    answer:
      "Counting visits opens it 0.35 times on average over 100 runs, and never more than once in a run. With E-values it is 573 times, of 714 that are possible.\n\n" +
      "A counter tries both moves of a state equally often; in the run shown, 2,500 times each at the start. So every further state is reached half as often as the one before it, and the end once in 16,384 attempts. " +
      "An E-value falls more slowly where what follows is new, so that the right move keeps its bonus longer: after 1,000 steps it was taken 166 times at the start, the wrong one 71 times. The lock opens first at step 293.",
    look: "*E*: where visits are counted, it is near 0 at the start, near 1 at the end, and the same for both moves. With E-values the start stays high for long, because of what lies behind it.",
    setup: {
      env: "combination-lock:n=14",
      agents: [
        "dora:rule=epsilon,epsilon=0,alpha_e=0.1,gamma_e=0",
        "dora:rule=epsilon,epsilon=0,alpha_e=0.1,gamma_e=0.9",
      ],
      steps: 10000,
      seed: "1",
      runs: 100,
      show: "e",
    },
    names: ["counting visits (γ_E = 0)", "E-values (γ_E = 0.9)"],
  },
  {
    id: "gamma-e",
    title: "What γ_E buys, and where",
    lead:
      "γ_E is the discount of E-values: with 0 they see one pair, with 0.9 about ten steps ahead. In RiverSwim the large reward is upstream. Two algorithms, each with γ_E = 0 and with 0.9: " +
      "DORA, whose values of reward begin at 0, and the paper’s Directed Delayed Q-learning, where all of them begin at their maximum.",
    question: "Which of the two gains by looking ahead?",
    choices: ["Both", "Only Directed Delayed Q-learning", "Only DORA", "Neither"],
    right: 2,
    answer:
      "DORA rises from 6 to 603 (the best policy: 666). The paper’s agent earns 508 and 512, which is no difference beyond the noise, and 501 with no bonus at all; in the run shown its two forms take the very same steps.\n\n" +
      "A value that begins at its maximum and falls only when its successors fall *is* an exploration value, and it looks ahead with discount γ. A bonus on top says the same once more. " +
      "Over 21 test problems, tuned alike, E-values with γ_E = 0.9 gave DORA 34 points of 100; the paper’s agent was as good without them. They replace optimism. They do not add to it.",
    look: "*Visits* at the right end: one of the four agents is there in only 12 of 10,000 steps.",
    setup: {
      env: "riverswim:n=6",
      agents: [
        ...[0, 0.9].map((g) => `dora:rule=epsilon,epsilon=0,alpha_e=0.1,gamma_e=${g}`),
        ...[0, 0.9].map((g) => `directed-delayed-q:gamma_e=${g}`),
      ],
      steps: 10000,
      seed: "1",
      runs: 100,
      show: "visits",
    },
    names: ["DORA, γ_E = 0", "DORA, γ_E = 0.9", "Directed, γ_E = 0", "Directed, γ_E = 0.9"],
  },
  {
    id: "learn-flag",
    title: "A line that locks an agent for ever",
    lead:
      "When m samples of a pair bring no update, the agent stops learning that pair: its LEARN flag goes off. The rule of 2009 does so only if no value has changed since the *first* of these samples. " +
      "The paper’s Algorithm 1 overwrites that time stamp in the line before it is tested, so that every failure switches the flag off. Three states, two actions, nothing random but ties; the best policy earns 1 a step.",
    question: "What does the difference do?",
    choices: [
      "Nothing but a short delay",
      "In about half of the runs the printed rule earns half of the reward, for ever",
      "The printed rule fails in every run",
    ],
    right: 1,
    answer:
      "In 56 of 100 runs the printed rule locks up and earns 0.5 a step. The rule of 2009 earns 1 a step in all 100, once it has learned.\n\n" +
      "In the run shown, a value falls in the middle of a window of the pair (state 1, action 0). The window has samples from before and after, and fails at step 36. " +
      "The rule of 2009 sees that something changed and grants a second window, which succeeds at step 42. The printed rule switches the pair off, at step 41 the next one, and then no number ever changes again. " +
      "The mistakes have no bound, and the theorem does not hold for what is printed.",
    look: "*LEARN*, step by step from step 30 on: 1 is on, 0 is off.",
    setup: {
      model: { name: "lockup.json", text: lockup },
      agents: ["2009", "printed"].map((rule) => `${LOCKUP},learn=${rule}`),
      steps: 1000,
      seed: "3",
      runs: 100,
      show: "learn",
    },
    names: ["the rule of 2009", "as printed"],
  },
  {
    id: "print-and-proof",
    title: "Print against proof",
    lead:
      "The paper does not give the parameters of its tables. These were found by a search: with them, the algorithm as printed comes near to the tables. Every value begins at Vmax = 15.53, and no policy can earn more. " +
      "An update counts if it lowers *Q plus bonus*. The second agent has in addition the clamp that the proof needs: Q and E never rise.",
    question: "Can a value of the first agent rise above Vmax?",
    choices: ["Yes: if the bonus falls by more than Q rises", "No: every update lowers it", "Only by rounding errors"],
    right: 0,
    answer:
      "Yes. In the run shown the largest Q reaches 16.44, and in each of 100 runs some value exceeds Vmax. The sum falls, the bonus pays for it, and Q may rise; the proof uses that it does not.\n\n" +
      "This is no detail. With the clamp the average reward drops from 6,661 to 2,107, so with these parameters the good result *needs* what the proof excludes. " +
      "Their λ = 3.097 is also more than 100 times the 0.028 that the repaired proof allows. A bonus with a guarantee is so small that it hardly does more than break ties.",
    look: "*Q*: the first picture has numbers above 15.53, the second has none.",
    setup: {
      env: `chain:n=10,${PRINTED_GAMMA}`,
      agents: ["off", "on"].map((clamp) => `${PRINTED},gamma_e=0.99,clamp=${clamp}`),
      steps: 10000,
      seed: "1",
      runs: 100,
      show: "q",
    },
    names: ["as printed", "with the clamp"],
    theory: true,
  },
  {
    id: "tables",
    title: "What the tables show",
    lead:
      "Table 2 of the paper, a chain of 50 states: its best row, 5,581, is γ_E = 0.99, and 0.25 has 691. Delayed Q-learning has 532. Here are the algorithm as printed with both γ_E (parameters of the last stop), " +
      "and two agents *without* exploration values, Delayed Q-learning and the same with intervals, for whose parameters we searched with equal effort.",
    question: "What do the two agents without exploration values earn?",
    choices: ["About 530, as in the table", "About half of the best row", "More than the best row"],
    right: 2,
    answer:
      "5,796 and 5,930. As printed it is 5,534 with γ_E = 0.99 and 396 with 0.25: the paper’s trend is there, but its best row is reached without exploration values.\n\n" +
      "With these parameters the bonus is a budget that pays for updates. At γ_E = 0.25 the first update spends most of it, and learning stops. So the trend shows how fast a bonus is used up, not how far exploration reaches. " +
      "Tuned with equal effort, five variants, with and without exploration values, lie within two per cent of each other. The authors’ own program and parameters are not known.",
    look: "*Visits*: which agents make the right end their home?",
    setup: {
      env: "chain:n=50",
      agents: [
        ...[0.99, 0.25].map((g) => `${PRINTED},${PRINTED_GAMMA},gamma_e=${g},clamp=off`),
        "delayed-q:m=3,gamma=0.9933,eps1=0.4497",
        "delayed-q-ie:m=3,gamma=0.9969,eps1=0.09529,rho=1.539",
      ],
      steps: 10000,
      seed: "1",
      runs: 100,
      show: "visits",
    },
    names: [
      "Directed as printed, γ_E = 0.99",
      "Directed as printed, γ_E = 0.25",
      "Delayed Q-learning, tuned",
      "the same with intervals, tuned",
    ],
  },
  {
    id: "theorem",
    title: "What is promised, and what it costs",
    lead:
      "The theorem, repaired: on *any* finite problem, with probability 1 − δ, the agent makes at most so many mistakes in its whole life. A mistake is a step at which its expected return is more than ε below the best. " +
      "A chain of 10 states, γ = 0.95, δ = 0.1, and ε = 2, a tenth of the greatest value. The first agent has the theorem’s parameters, the second our defaults without a guarantee, the third moves at random.",
    question: "How many mistakes does the theorem allow?",
    choices: ["About ten thousand", "About ten million", "About 40 million billion (4 × 10¹⁶)"],
    right: 2,
    answer:
      "3.6 × 10¹⁶: at ten million steps a second, more than a hundred years of them. For that it asks for windows of 191 million samples.\n\n" +
      "It is a bound for the worst problem of this size, and this one is kinder: in 1,000,000 steps the agent earns 391,843 (mean of 5 runs), moving at random 99,564, the defaults 749,511. " +
      "But in the first 10,000 steps, the length of the paper’s runs, the agent with the guarantee does not change a single value. " +
      "So what was run there is not what is proved: a promise for every problem and a good score on one are different things, and each has its price.",
    look: "*n*, the samples in each window: the first agent has more than 7,000 of every pair before a value moves for the first time, at step 145,740.",
    setup: {
      env: "chain:n=10,gamma=0.95",
      agents: ["directed-delayed-q:preset=theory", "directed-delayed-q", "random"],
      steps: 1000000,
      seed: "1",
      runs: 5,
      show: "n",
    },
    names: ["with the guarantee", "defaults, no guarantee", "random"],
    theory: true,
  },
];
