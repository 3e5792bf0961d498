"""Written by scripts/python-stubs from the tables of the library; do not edit."""

import numpy.typing as npt
from farsight.agent import Agent
from typing import Any
from farsight.catalog import Catalog
from farsight import MDP
from farsight.spaces import Numbers

class Agents(Catalog):
    def bayes_q(
        self,
        env: Any = None,
        *,
        gamma: float | str | None = None,
        choice: str = 'sampling',
        update: str = 'moment',
        mu0: float | None = None,
        lambda0: float = 0.39,
        alpha0: float = 6.5,
        beta0: float | None = None,
        ties: str = 'random',
        n_states: int | None = None,
        n_actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        episodic: bool | None = None,
        absent: npt.ArrayLike | None = None,
        episode_steps: int | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        seed: int | None = 1,
        replicate: int = 0,
    ) -> Agent:
        """Bayesian Q-learning: sampling or value of perfect information.

        Guarantee: none; discounted, continuing or episodic.

        Parameters:

            gamma: discount that it plans with; short: as far ahead as the data of the run reach (in [0, 1);
                default: the problem's)
            choice: greedy on a sample of the means, or on mean + value of perfect information (one of
                sampling, vpi; default sampling)
            update: with the uncertainty of the next state's return, or with its mean alone (one of moment,
                point; default moment)
            mu0: prior mean of a return (default: (rmin+rmax)/2/(1-gamma))
            lambda0: weight of the prior mean, in samples (above 0; default 0.39)
            alpha0: half the weight of the prior variance, in samples (above 0; default 6.5)
            beta0: alpha0 times the prior variance of a return (above 0; default: alpha0 (0.011
                range/(1-gamma))^2)
            ties: which of several greedy actions is taken (one of random, lowest, highest; default random)

        Reference: Dearden, Friedman & Russell, Bayesian Q-learning, AAAI 1998.
        """
    def bayes_ucbvi(
        self,
        env: Any = None,
        *,
        kappa: float = 0.75,
        draws: int = 16,
        n0: float = 0.9,
        r0: float = 0.42,
        stages: str | None = None,
        ties: str = 'random',
        n_states: int | None = None,
        n_actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        episodic: bool | None = None,
        absent: npt.ArrayLike | None = None,
        episode_steps: int | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        seed: int | None = 1,
        replicate: int = 0,
    ) -> Agent:
        """Bayes-UCBVI: acts on quantiles of the posterior of a value, by steps.

        Guarantee: regret O~(sqrt(H^3 S A K)) in K episodes with exact quantiles at the level of the paper,
            which rises with the visits; none for sampled ones; finite horizon.

        Parameters:

            kappa: level of the quantile; 1: the largest of the sample (in (0, 1]; default 0.75)
            draws: size of the sample that a quantile is taken from (in [1, 1000]; default 16)
            n0: prior visits of a state that pays r0 in every step (in [1e-06, 1000000000]; default 0.9)
            r0: its reward, in units of the range above the least reward; the theorem has 2 (in [0,
                1000000000]; default 0.42)
            stages: one model for all steps, or one for each (one of shared, apart; default: shared)
            ties: which of several greedy actions is taken (one of random, lowest, highest; default random)

        Reference: Tiapkin, Belomestny, Moulines, Naumov, Samsonov, Tang, Valko & Menard, From Dirichlet to
            Rubin, ICML 2022 (arXiv 2205.07704).
        """
    def beb(
        self,
        env: Any = None,
        *,
        preset: str = 'practical',
        eps: float | None = None,
        gamma: float | str | None = None,
        beta: float | None = None,
        prior: float | None = None,
        m: int | None = None,
        replan: float | None = None,
        tol: float | None = None,
        ties: str = 'random',
        n_states: int | None = None,
        n_actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        episodic: bool | None = None,
        absent: npt.ArrayLike | None = None,
        episode_steps: int | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        seed: int | None = 1,
        replicate: int = 0,
    ) -> Agent:
        """Bayesian exploration bonus: the posterior mean model with beta/(1+N).

        Guarantee: near-Bayesian, not PAC-MDP: with preset=theory eps-close to the Bayes-optimal policy on
            all but O(SA H^6 / eps^2) steps, up to logarithms; discounted.

        Parameters:

            preset: fills the keys not given: practical, or theory (from eps) (one of practical, theory;
                default practical)
            eps: accuracy that a theory preset guarantees, in units of value (above 0; default: 0.1
                range/(1-gamma))
            gamma: discount that it plans with; short: as far ahead as the data of the run reach (in [0, 1);
                default: the problem's)
            beta: bonus of beta/(1+N), in units of reward (at least 0; default: 3 range)
            prior: imagined transitions of a pair, spread over all outcomes (at least 0; default: 0)
            m: samples of a pair that are used (in [1, 9007199254740992]; default: without limit)
            replan: plan when a pair's visits have grown by this factor; 1: after every step (at least 1;
                default: 1.1)
            tol: largest distance of a plan's values from the fixed point (above 0; default: 0.001 range)
            ties: which of several greedy actions is taken (one of random, lowest, highest; default random)

        Reference: Kolter & Ng, Near-Bayesian Exploration in Polynomial Time, ICML 2009.
        """
    def bpi_ucbvi(
        self,
        env: Any = None,
        *,
        preset: str = 'practical',
        eps: float | None = None,
        delta: float = 0.1,
        scale: float | None = None,
        dim: float | None = None,
        c: float | None = None,
        stages: str | None = None,
        ties: str = 'random',
        n_states: int | None = None,
        n_actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        episodic: bool | None = None,
        absent: npt.ArrayLike | None = None,
        episode_steps: int | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        seed: int | None = 1,
        replicate: int = 0,
    ) -> Agent:
        """Best policy identification: explores by upper values, stops with a certified policy.

        Guarantee: with preset=theory: stops after O~(H^3 S A/eps^2) episodes with a policy that loses at
            most eps in an episode, probability 1-delta; finite horizon.

        Parameters:

            preset: fills the keys not given: practical, or theory (from delta) (one of practical, theory;
                default practical)
            eps: stop when the policy is proved to lose at most this in an episode, in units of reward
                (above 0; default: 0.1 horizon range)
            delta: probability with which that proof may fail (in (0, 1); default 0.1)
            scale: factor of the rates beta; the theorem has 1 (at least 0; default: 0.0064)
            dim: factor of the logarithm of the visits in beta; theory: the number of outcomes (at least 0;
                default: 1)
            c: factor of beta/n; theory: 14 horizon^2 (at least 0; default: 1)
            stages: one model for all steps, or one for each (one of shared, apart; default: shared)
            ties: which of several greedy actions is taken (one of random, lowest, highest; default random)

        Reference: Menard, Domingues, Jonsson, Kaufmann, Leurent & Valko, Fast active learning for pure
            exploration in reinforcement learning, arXiv 2007.13442, 2020.
        """
    def count_q(
        self,
        env: Any = None,
        *,
        gamma: float | str | None = None,
        place: str = 'target',
        beta: float | None = None,
        decay: str = 'sqrt',
        step: str = 'horizon',
        alpha: float = 0.1,
        q0: float | None = None,
        ties: str = 'random',
        n_states: int | None = None,
        n_actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        episodic: bool | None = None,
        absent: npt.ArrayLike | None = None,
        episode_steps: int | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        seed: int | None = 1,
        replicate: int = 0,
    ) -> Agent:
        """Q-learning with a bonus for rarely tried actions.

        Guarantee: none (ucb-q is the form with one); discounted, continuing or episodic.

        Parameters:

            gamma: discount that it plans with; short: as far ahead as the data of the run reach (in [0, 1);
                default: the problem's)
            place: the bonus is added to what is learned, or only when choosing (one of target, choice;
                default target)
            beta: bonus of the first visit, in units of reward (at least 0; default: 0.055 range, 1 range
                with place=choice)
            decay: the bonus after n visits: beta/sqrt(n) or beta/n (one of sqrt, linear; default sqrt)
            step: step size: (H+1)/(H+n) at the n-th visit, H = 1/(1-gamma), or alpha (one of horizon,
                constant; default horizon)
            alpha: constant step size (in (0, 1]; default 0.1)
            q0: initial value of every pair (default: rmax/(1-gamma), 0 with place=choice)
            ties: which of several greedy actions is taken (one of random, lowest, highest; default random)

        Reference: the bonus of Strehl & Littman, J. Comput. Syst. Sci. 74, 2008, or Kolter & Ng, ICML 2009;
            the step size of Jin et al., NeurIPS 2018.
        """
    def delayed_q(
        self,
        env: Any = None,
        *,
        preset: str = 'scaled',
        eps: float | None = None,
        delta: float = 0.1,
        steps: int | None = None,
        gamma: float | str | None = None,
        eps1: float | None = None,
        m: int | None = None,
        form: str = '2009',
        ties: str = 'random',
        n_states: int | None = None,
        n_actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        episodic: bool | None = None,
        absent: npt.ArrayLike | None = None,
        episode_steps: int | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        seed: int | None = 1,
        replicate: int = 0,
    ) -> Agent:
        """Delayed Q-learning: one attempted update every m samples of a pair.

        Guarantee: PAC-MDP with preset=theory: O~(SA / (eps^4 (1-gamma)^8)) mistakes; discounted, continuing
            or episodic.

        Parameters:

            preset: fills the keys not given: scaled (by S, A, the range and steps), practical (the same
                numbers for all problems), or theory (from eps and delta) (one of scaled, practical, theory;
                default scaled)
            eps: accuracy that a theory preset guarantees, in units of value (above 0; default: 0.1
                range/(1-gamma))
            delta: probability with which that guarantee may fail (in (0, 1); default 0.1)
            steps: preset=scaled: steps there will be; N = steps/(S A) a pair, H = 1/(1 - gamma) (in [1,
                9007199254740992]; default: the run's, or 10000)
            gamma: discount that it plans with; short: as far ahead as the data of the run reach (in [0, 1);
                default: the problem's)
            eps1: an update succeeds if it lowers the value by 2 eps1 (above 0; default: range/(5000 H);
                practical: 0.2 range)
            m: samples in a window (in [1, 9007199254740992]; default: N/(15 H); practical: 5)
            form: LEARN flags as in the 2009 or the 2006 paper (one of 2009, 2006; default 2009)
            ties: which of several greedy actions is taken (one of random, lowest, highest; default random)

        Reference: Strehl, Li, Wiewiora, Langford & Littman, PAC Model-Free Reinforcement Learning, ICML
            2006; Strehl, Li & Littman, JMLR 10, 2009.
        """
    def delayed_q_ie(
        self,
        env: Any = None,
        *,
        preset: str = 'scaled',
        eps: float | None = None,
        delta: float = 0.1,
        steps: int | None = None,
        gamma: float | str | None = None,
        eps1: float | None = None,
        m: int | None = None,
        rho: float | None = None,
        learn: str = '2009',
        ties: str = 'random',
        n_states: int | None = None,
        n_actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        episodic: bool | None = None,
        absent: npt.ArrayLike | None = None,
        episode_steps: int | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        seed: int | None = 1,
        replicate: int = 0,
    ) -> Agent:
        """Delayed Q-learning with interval estimation: an attempt at every sample.

        Guarantee: PAC-MDP with preset=theory: O~(SA / (eps^4 (1-gamma)^8)) mistakes; discounted, continuing
            or episodic.

        Parameters:

            preset: fills the keys not given: scaled (by S, A, the range and steps), practical (the same
                numbers for all problems), or theory (from eps and delta) (one of scaled, practical, theory;
                default scaled)
            eps: accuracy that a theory preset guarantees, in units of value (above 0; default: 0.1
                range/(1-gamma))
            delta: probability with which that guarantee may fail (in (0, 1); default 0.1)
            steps: preset=scaled: steps there will be; N = steps/(S A) a pair, H = 1/(1 - gamma) (in [1,
                9007199254740992]; default: the run's, or 10000)
            gamma: discount that it plans with; short: as far ahead as the data of the run reach (in [0, 1);
                default: the problem's)
            eps1: least decrease that makes an update succeed (above 0; default: range/(5000 H); practical:
                0.2 range)
            m: samples in a window (in [1, 9007199254740992]; default: 10 N; practical: 5)
            rho: width of the interval estimate, rho/sqrt(n) (at least 0; default: range sqrt(m)/(5000 H);
                practical: 3 eps1 sqrt(m))
            learn: LEARN flags as the proof needs them, or as Algorithm 1 prints (one of 2009, printed;
                default 2009)
            ties: which of several greedy actions is taken (one of random, lowest, highest; default random)

        Reference: Strehl, Probably Approximately Correct Exploration in Reinforcement Learning, PhD thesis,
            Rutgers 2007.
        """
    def directed_delayed_q(
        self,
        env: Any = None,
        *,
        preset: str = 'scaled',
        eps: float | None = None,
        delta: float = 0.1,
        steps: int | None = None,
        gamma: float | str | None = None,
        eps1: float | None = None,
        m: int | None = None,
        lambda_: float | str | None = None,
        bonus: str = 'log',
        eta: float | None = None,
        e0: float | None = None,
        gamma_e: float = 0.99,
        e_rule: str = 'success',
        alpha_e: float = 0.01,
        rho: float | None = None,
        delay: str = 'interval',
        learn: str = '2009',
        clamp: bool = True,
        threshold: float | None = None,
        ties: str = 'random',
        n_states: int | None = None,
        n_actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        episodic: bool | None = None,
        absent: npt.ArrayLike | None = None,
        episode_steps: int | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        seed: int | None = 1,
        replicate: int = 0,
    ) -> Agent:
        """Delayed Q-learning directed by long-term exploration values.

        Guarantee: PAC-MDP with preset=theory: O~(SA / (eps^4 (1-gamma)^8)) mistakes; discounted, continuing
            or episodic.

        Parameters:

            preset: fills the keys not given: scaled (by S, A, the range and steps), practical (the same
                numbers for all problems), theory (repaired) or paper (the appendix as printed) (one of
                scaled, practical, theory, paper; default scaled)
            eps: accuracy that a theory preset guarantees, in units of value (above 0; default: 0.1
                range/(1-gamma))
            delta: probability with which that guarantee may fail (in (0, 1); default 0.1)
            steps: preset=scaled: steps there will be; N = steps/(S A) a pair, H = 1/(1 - gamma) (in [1,
                9007199254740992]; default: the run's, or 10000)
            gamma: discount that it plans with; short: as far ahead as the data of the run reach (in [0, 1);
                default: the problem's)
            eps1: least decrease that makes an update succeed (above 0; default: range/(5000 H); practical:
                0.2 range)
            m: samples in a window (in [1, 9007199254740992]; default: 10 N, fully delayed N/(15 H);
                practical: 5)
            lambda_: size of the exploration bonus; repaired: the largest for which the repaired proof holds
                (at least 0; default: eps1 sqrt(log_eta(eps1/range)))
            bonus: lambda/sqrt(log_eta E), or lambda sqrt(E), which is not printed (one of log, sqrt;
                default log)
            eta: base of the logarithm in the bonus (in (0, 1); default: 1 - eps1/range)
            e0: initial exploration value; with bonus=log at most eta (in (0, 1); default: eta)
            gamma_e: discount of exploration values (in [0, 1); default 0.99)
            e_rule: E is learned with Q, or at every visit as in DORA, which is not printed (one of success,
                visit; default success)
            alpha_e: e_rule=visit: step size of exploration values (in (0, 1]; default 0.01)
            rho: width of the interval estimate, rho/sqrt(n) (at least 0; default: range sqrt(m)/(5000 H);
                practical: 3 eps1 sqrt(m))
            delay: attempt an update at every sample, or only when the window is full (width eps1) (one of
                interval, full; default interval)
            learn: LEARN flags as the proof needs them, or as Algorithm 1 prints (one of 2009, printed;
                default 2009)
            clamp: keep Q and E from rising, as the proof needs (one of off, on; default on)
            threshold: least decrease of an update if it is not eps1; another one is not printed (default:
                eps1)
            ties: which of several greedy actions is taken (one of random, lowest, highest; default random)

        Reference: Oh & Iyengar, Directed Exploration in PAC Model-Free Reinforcement Learning, 2018 (arXiv
            1808.10552).
        """
    def dora(
        self,
        env: Any = None,
        *,
        gamma: float | str | None = None,
        rule: str = 'lll-softmax',
        alpha: float = 0.039,
        alpha_e: float = 0.19,
        gamma_e: float = 0.9,
        beta: float | None = None,
        decay: str = 'sqrt',
        place: str = 'choice',
        epsilon: float = 0.1,
        temperature: float | None = None,
        q0: float = 0,
        ties: str = 'random',
        n_states: int | None = None,
        n_actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        episodic: bool | None = None,
        absent: npt.ArrayLike | None = None,
        episode_steps: int | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        seed: int | None = 1,
        replicate: int = 0,
    ) -> Agent:
        """exploration values: counters that look ahead, with Q-learning.

        Guarantee: none in finite time; converges if every pair is visited for ever; discounted, continuing
            or episodic.

        Parameters:

            gamma: discount that it plans with; short: as far ahead as the data of the run reach (in [0, 1);
                default: the problem's)
            rule: softmax or epsilon-greedy, made deterministic by the counters (lll) or with a bonus (one
                of lll-softmax, lll-epsilon, softmax, epsilon; default lll-softmax)
            alpha: constant step size (in (0, 1]; default 0.039)
            alpha_e: step size of exploration values (in (0, 1); default 0.19)
            gamma_e: discount of exploration values; 0 counts visits (in [0, 1); default 0.9)
            beta: bonus at counter 1, in units of reward; the lll rules add it to the target (at least 0;
                default: 0.3 range, 0 with the lll rules)
            decay: the bonus at counter C: beta/sqrt(C) or beta/C (one of sqrt, linear; default sqrt)
            place: the bonus counts when choosing, or is added to what is learned (one of choice, target;
                default choice)
            epsilon: probability of a random action (in [0, 1]; default 0.1)
            temperature: softmax: small is greedy, inf is uniform; in units of reward (above 0; default:
                0.026 range)
            q0: initial value of every pair (default 0)
            ties: which of several greedy actions is taken (one of random, lowest, highest; default random)

        Reference: Choshen, Fox & Loewenstein, DORA the Explorer: Directed Outreaching Reinforcement Action-
            Selection, ICLR 2018.
        """
    def e3(
        self,
        env: Any = None,
        *,
        preset: str = 'practical',
        eps: float | None = None,
        delta: float = 0.1,
        gamma: float | str | None = None,
        m: int | None = None,
        horizon: int | None = None,
        theta: float | None = None,
        freeze: bool = False,
        tol: float | None = None,
        ties: str = 'random',
        n_states: int | None = None,
        n_actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        episodic: bool | None = None,
        absent: npt.ArrayLike | None = None,
        episode_steps: int | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        seed: int | None = 1,
        replicate: int = 0,
    ) -> Agent:
        """E3: explicitly explore or exploit, by plans of T steps.

        Guarantee: polynomial in S, A, 1/eps, 1/(1-gamma) with preset=theory (exponents are not in the
            paper); discounted, continuing or episodic.

        Parameters:

            preset: fills the keys not given: practical, or theory (from eps, delta) (one of practical,
                theory; default practical)
            eps: accuracy that a theory preset guarantees, in units of value (above 0; default: 0.1
                range/(1-gamma))
            delta: probability with which that guarantee may fail (in (0, 1); default 0.1)
            gamma: discount that it plans with; short: as far ahead as the data of the run reach (in [0, 1);
                default: the problem's)
            m: tries of every action after which a state is known (in [1, 9007199254740992]; default: 20)
            horizon: steps of a plan (in [1, 1000000]; default: 4/(1-gamma))
            theta: explore if an unknown state is reached with at least this probability (in [0, 1];
                default: 0.01)
            freeze: use only the first m samples of a pair, as the analysis does (one of off, on; default:
                off)
            tol: largest distance of a plan's values from the fixed point (above 0; default: 0.001 range)
            ties: which of several greedy actions is taken (one of random, lowest, highest; default random)

        Reference: Kearns & Singh, Near-Optimal Reinforcement Learning in Polynomial Time, Machine Learning
            49, 2002.
        """
    def imed_rl(
        self,
        env: Any = None,
        *,
        tol: float | None = None,
        ties: str = 'random',
        n_states: int | None = None,
        n_actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        episodic: bool | None = None,
        absent: npt.ArrayLike | None = None,
        episode_steps: int | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        seed: int | None = 1,
        replicate: int = 0,
    ) -> Agent:
        """IMED-RL: the action whose inferiority has the least evidence.

        Guarantee: none in finite time; the paper's form has asymptotically the least regret, of the order
            log T; average reward, ergodic.

        Parameters:

            tol: a plan ends when no value moves by this or more (above 0; default: 0.001 range)
            ties: which of several greedy actions is taken (one of random, lowest, highest; default random)

        Reference: Pesquerel & Maillard, IMED-RL: Regret optimal learning of ergodic Markov decision
            processes, NeurIPS 2022.
        """
    def kl_ucrl(
        self,
        env: Any = None,
        *,
        preset: str = 'practical',
        delta: float = 0.1,
        scale: float | None = None,
        scale_r: float | None = None,
        ties: str = 'random',
        n_states: int | None = None,
        n_actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        episodic: bool | None = None,
        absent: npt.ArrayLike | None = None,
        episode_steps: int | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        seed: int | None = 1,
        replicate: int = 0,
    ) -> Agent:
        """KL-UCRL: UCRL2 with the Kullback-Leibler divergence.

        Guarantee: regret O~(range D S sqrt(A T)) with preset=theory; average reward, communicating
            (diameter D).

        Parameters:

            preset: fills the keys not given: practical, or theory (both scales 1) (one of practical,
                theory; default practical)
            delta: probability with which the bound on the regret may fail (in (0, 1); default 0.1)
            scale: factor on C_P, the bound on divergences; 1 as in the paper (at least 0; default: 0.083/S)
            scale_r: factor on C_R, the width of reward intervals; 1 as in the paper (at least 0; default:
                0.04)
            ties: which of several greedy actions is taken (one of random, lowest, highest; default random)

        Reference: Filippi, Cappe & Garivier, Optimism in Reinforcement Learning and Kullback-Leibler
            Divergence, Allerton 2010.
        """
    def mbie(
        self,
        env: Any = None,
        *,
        preset: str = 'practical',
        eps: float | None = None,
        delta: float = 0.1,
        gamma: float | str | None = None,
        a: float | None = None,
        b: float | None = None,
        m: int | None = None,
        replan: float | None = None,
        tol: float | None = None,
        ties: str = 'random',
        n_states: int | None = None,
        n_actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        episodic: bool | None = None,
        absent: npt.ArrayLike | None = None,
        episode_steps: int | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        seed: int | None = 1,
        replicate: int = 0,
    ) -> Agent:
        """Model-based interval estimation: the best model within confidence intervals.

        Guarantee: PAC-MDP with preset=theory: O~(S^2 A / (eps^3 (1-gamma)^6)) mistakes; discounted,
            continuing or episodic.

        Parameters:

            preset: fills the keys not given: practical, or theory (from eps, delta) (one of practical,
                theory; default practical)
            eps: accuracy that a theory preset guarantees, in units of value (above 0; default: 0.1
                range/(1-gamma))
            delta: probability with which that guarantee may fail (in (0, 1); default 0.1)
            gamma: discount that it plans with; short: as far ahead as the data of the run reach (in [0, 1);
                default: the problem's)
            a: reward intervals of a range/sqrt(n) (at least 0; default: 0.011)
            b: L1 balls of radius b/sqrt(n) around the transitions (at least 0; default: 0.55)
            m: samples of a pair that are used (in [1, 9007199254740992]; default: without limit)
            replan: plan when a pair's visits have grown by this factor; 1: after every step (at least 1;
                default: 1.1)
            tol: largest distance of a plan's values from the fixed point (above 0; default: 0.001 range)
            ties: which of several greedy actions is taken (one of random, lowest, highest; default random)

        Reference: Strehl & Littman, An Analysis of Model-Based Interval Estimation for Markov Decision
            Processes, JCSS 74, 2008.
        """
    def mbie_eb(
        self,
        env: Any = None,
        *,
        preset: str = 'practical',
        eps: float | None = None,
        delta: float = 0.1,
        gamma: float | str | None = None,
        beta: float | None = None,
        m: int | None = None,
        replan: float | None = None,
        tol: float | None = None,
        ties: str = 'random',
        n_states: int | None = None,
        n_actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        episodic: bool | None = None,
        absent: npt.ArrayLike | None = None,
        episode_steps: int | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        seed: int | None = 1,
        replicate: int = 0,
    ) -> Agent:
        """MBIE with an exploration bonus of beta/sqrt(n) in place of intervals.

        Guarantee: PAC-MDP with preset=theory: O~(S^2 A / (eps^3 (1-gamma)^6)) mistakes; discounted,
            continuing or episodic.

        Parameters:

            preset: fills the keys not given: practical, or theory (from eps, delta) (one of practical,
                theory; default practical)
            eps: accuracy that a theory preset guarantees, in units of value (above 0; default: 0.1
                range/(1-gamma))
            delta: probability with which that guarantee may fail (in (0, 1); default 0.1)
            gamma: discount that it plans with; short: as far ahead as the data of the run reach (in [0, 1);
                default: the problem's)
            beta: bonus of beta/sqrt(n), in units of reward (at least 0; default: 0.08 range)
            m: samples of a pair that are used (in [1, 9007199254740992]; default: without limit)
            replan: plan when a pair's visits have grown by this factor; 1: after every step (at least 1;
                default: 1.1)
            tol: largest distance of a plan's values from the fixed point (above 0; default: 0.001 range)
            ties: which of several greedy actions is taken (one of random, lowest, highest; default random)

        Reference: Strehl & Littman, An Analysis of Model-Based Interval Estimation for Markov Decision
            Processes, JCSS 74, 2008.
        """
    def mormax(
        self,
        env: Any = None,
        *,
        preset: str = 'practical',
        eps: float | None = None,
        delta: float = 0.1,
        gamma: float | str | None = None,
        m: int | None = None,
        eps1: float | None = None,
        tol: float | None = None,
        ties: str = 'random',
        n_states: int | None = None,
        n_actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        episodic: bool | None = None,
        absent: npt.ArrayLike | None = None,
        episode_steps: int | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        seed: int | None = 1,
        replicate: int = 0,
    ) -> Agent:
        """MoRmax: rows of the model are estimated repeatedly from fresh batches.

        Guarantee: PAC-MDP with preset=theory: O~(S A / (eps^2 (1-gamma)^6)) mistakes; discounted,
            continuing or episodic.

        Parameters:

            preset: fills the keys not given: practical, or theory (from eps, delta) (one of practical,
                theory; default practical)
            eps: accuracy that a theory preset guarantees, in units of value (above 0; default: 0.1
                range/(1-gamma))
            delta: probability with which that guarantee may fail (in (0, 1); default 0.1)
            gamma: discount that it plans with; short: as far ahead as the data of the run reach (in [0, 1);
                default: the problem's)
            m: samples of a batch (in [1, 9007199254740992]; default: 20)
            eps1: a pair is tried again once its value has fallen by more than this (at least 0; default:
                (1-gamma) range)
            tol: largest distance of a plan's values from the fixed point (above 0; default: 0.001 range)
            ties: which of several greedy actions is taken (one of random, lowest, highest; default random)

        Reference: Szita & Szepesvari, Model-Based Reinforcement Learning with Nearly Tight Exploration
            Complexity Bounds, ICML 2010.
        """
    def mvp(
        self,
        env: Any = None,
        *,
        preset: str = 'practical',
        delta: float = 0.1,
        episodes: int | None = None,
        samples: str | None = None,
        l: float | None = None,
        scale: float | None = None,
        stages: str | None = None,
        ties: str = 'random',
        n_states: int | None = None,
        n_actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        episodic: bool | None = None,
        absent: npt.ArrayLike | None = None,
        episode_steps: int | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        seed: int | None = 1,
        replicate: int = 0,
    ) -> Agent:
        """MVP: optimistic value iteration by steps, on rows renewed by doubling.

        Guarantee: regret with preset=theory: O~(min(sqrt(H^3 S A K), H K)) in any number of episodes K;
            finite horizon.

        Parameters:

            preset: fills the keys not given: practical, or theory (from delta) (one of practical, theory;
                default practical)
            delta: probability with which that guarantee may fail (in (0, 1); default 0.1)
            episodes: episodes for which that guarantee is made (in [1, 9007199254740992]; default: as many
                as the run can have, or 10000)
            samples: a row is made of all samples, or of those since the last power of two (one of all,
                latest; default: all)
            l: L, the logarithm in the bonus; preset=theory: ln(200 S A H^2 K^2/delta) (at least 0; default:
                1)
            scale: factor of the bonus; the theorem has 1 (at least 0; default: 0.0011)
            stages: one model for all steps, or one for each (one of shared, apart; default: shared;
                preset=theory: apart)
            ties: which of several greedy actions is taken (one of random, lowest, highest; default random)

        Reference: Zhang, Chen, Lee & Du, Settling the Sample Complexity of Online Reinforcement Learning,
            arXiv 2307.13586, 2023; Zhang, Ji & Du, COLT 2021 (samples=all).
        """
    def oim(
        self,
        env: Any = None,
        *,
        gamma: float | str | None = None,
        ve: float | None = None,
        replan: float | None = None,
        tol: float | None = None,
        ties: str = 'random',
        n_states: int | None = None,
        n_actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        episodic: bool | None = None,
        absent: npt.ArrayLike | None = None,
        episode_steps: int | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        seed: int | None = 1,
        replicate: int = 0,
    ) -> Agent:
        """Optimistic initial model: one imagined transition of each pair to a best state.

        Guarantee: PAC-MDP for large enough ve (the order is known, the constant is not); discounted,
            continuing or episodic.

        Parameters:

            gamma: discount that it plans with; short: as far ahead as the data of the run reach (in [0, 1);
                default: the problem's)
            ve: value of the imagined state, in units of value (at least 0; default: range/(1-gamma))
            replan: plan when a pair's visits have grown by this factor; 1: after every step (at least 1;
                default: 1.1)
            tol: largest distance of a plan's values from the fixed point (above 0; default: 0.001 range)
            ties: which of several greedy actions is taken (one of random, lowest, highest; default random)

        Reference: Szita & Lorincz, The Many Faces of Optimism: a Unifying Approach, ICML 2008.
        """
    def optimal(
        self,
        env: Any = None,
        *,
        criterion: str | None = None,
        gamma: float | None = None,
        n_states: int | None = None,
        n_actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        episodic: bool | None = None,
        absent: npt.ArrayLike | None = None,
        episode_steps: int | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        seed: int | None = 1,
        replicate: int = 0,
    ) -> Agent:
        """Optimal policy of the true model (baseline; peeks at the model).

        Guarantee: none: it does not learn; its policy is optimal within the solver's error.

        Parameters:

            criterion: what the policy maximises: the reward a step in the long run (of an episode, where
                there is a horizon), or the discounted sum (one of average, discounted; default: the
                problem's)
            gamma: discount of rewards, with criterion=discounted (in [0, 1); default: the problem's)

        Reference: the exact solvers of this library (farsight solve).
        """
    def orlc(
        self,
        env: Any = None,
        *,
        preset: str = 'practical',
        delta: float = 0.1,
        l: float | None = None,
        scale: float | None = None,
        correction: float | None = None,
        stages: str | None = None,
        replan: float = 1,
        ties: str = 'random',
        n_states: int | None = None,
        n_actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        episodic: bool | None = None,
        absent: npt.ArrayLike | None = None,
        episode_steps: int | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        seed: int | None = 1,
        replicate: int = 0,
    ) -> Agent:
        """ORLC: optimism by steps with a certificate for the policy of every episode.

        Guarantee: certificates with preset=theory: they bound the loss of every episode, and all but O~(S A
            H^2/eps^2 + S^2 A H^3/eps) of them are at most eps; finite horizon.

        Parameters:

            preset: fills the keys not given: practical, or theory (from delta) (one of practical, theory;
                default practical)
            delta: probability with which that guarantee may fail (in (0, 1); default 0.1)
            l: L, the logarithm in the bonus; preset=theory: ln(26 S A (H+1+S)/delta) (at least 0; default:
                1)
            scale: factor of the bonus; the theorem has 1 (at least 0; default: 0.05)
            correction: factor of the terms with 1/n; the theorem has 1 (at least 0; default: 1/(45 S H))
            stages: one model for all steps, or one for each (one of shared, apart; default: shared)
            replan: plan after an episode if the visits of a pair have grown by this factor (at least 1;
                default 1)
            ties: which of several greedy actions is taken (one of random, lowest, highest; default random)

        Reference: Dann, Li, Wei & Brunskill, Policy Certificates: Towards Accountable Reinforcement
            Learning, ICML 2019.
        """
    def psrl(
        self,
        env: Any = None,
        *,
        gamma: float | str | None = None,
        prior: float = 1,
        mu0: float | None = None,
        sp: float | None = None,
        sn: float | None = None,
        resample: str = 'geometric',
        tau: int | None = None,
        tol: float | None = None,
        ties: str = 'random',
        n_states: int | None = None,
        n_actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        episodic: bool | None = None,
        absent: npt.ArrayLike | None = None,
        episode_steps: int | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        seed: int | None = 1,
        replicate: int = 0,
    ) -> Agent:
        """Posterior sampling: follow the best policy of a model drawn from the posterior.

        Guarantee: Bayesian regret O~(tau S sqrt(A T)) in episodes of length tau; no PAC-MDP bound;
            discounted, continuing or episodic.

        Parameters:

            gamma: discount that it plans with; short: as far ahead as the data of the run reach (in [0, 1);
                default: the problem's)
            prior: total weight of the Dirichlet prior, spread over all outcomes (in [0, 1000000]; default
                1)
            mu0: prior mean of a reward (in [-1e+100, 1e+100]; default: rmin)
            sp: prior standard deviation of a mean reward, in units of reward (in [1e-70, 1e+70]; default:
                range)
            sn: standard deviation of the noise, in units of reward (in [1e-70, 1e+70]; default: 0.021
                range)
            resample: when to sample: with probability 1-gamma, every tau steps, or by TSDE's rule (one of
                geometric, fixed, tsde; default geometric)
            tau: resample=fixed: steps between samples (in [1, 9007199254740992]; default: 1/(1-gamma))
            tol: largest distance of a plan's values from the fixed point (above 0; default: 0.001 range)
            ties: which of several greedy actions is taken (one of random, lowest, highest; default random)

        Reference: Strens, ICML 2000; Osband, Russo & Van Roy, (More) Efficient Reinforcement Learning via
            Posterior Sampling, NeurIPS 2013.
        """
    def psrl_episodic(
        self,
        env: Any = None,
        *,
        prior: float = 1,
        mu0: float | None = None,
        sp: float | None = None,
        sn: float | None = None,
        stages: str | None = None,
        ties: str = 'random',
        n_states: int | None = None,
        n_actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        episodic: bool | None = None,
        absent: npt.ArrayLike | None = None,
        episode_steps: int | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        seed: int | None = 1,
        replicate: int = 0,
    ) -> Agent:
        """Posterior sampling by steps: a model drawn for every episode.

        Guarantee: Bayesian regret O~(H S sqrt(A T)) in T steps; finite horizon.

        Parameters:

            prior: total weight of the Dirichlet prior, spread over all outcomes (in [0, 1000000]; default
                1)
            mu0: prior mean of a reward (in [-1e+100, 1e+100]; default: rmin)
            sp: prior standard deviation of a mean reward, in units of reward (in [1e-70, 1e+70]; default:
                range)
            sn: standard deviation of the noise, in units of reward (in [1e-70, 1e+70]; default: 0.02 range)
            stages: one model for all steps, or one for each (one of shared, apart; default: shared)
            ties: which of several greedy actions is taken (one of random, lowest, highest; default random)

        Reference: Osband, Russo & Van Roy, (More) Efficient Reinforcement Learning via Posterior Sampling,
            NeurIPS 2013.
        """
    def q_advantage(
        self,
        env: Any = None,
        *,
        preset: str = 'practical',
        delta: float = 0.1,
        c: float | None = None,
        tail: float | None = None,
        settle: float = 0.22,
        log: bool = False,
        ties: str = 'random',
        n_states: int | None = None,
        n_actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        episodic: bool | None = None,
        absent: npt.ArrayLike | None = None,
        episode_steps: int | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        seed: int | None = 1,
        replicate: int = 0,
    ) -> Agent:
        """Q-learning by reference and advantage, settled early, for a finite horizon.

        Guarantee: regret with preset=theory, for large enough c: O~(sqrt(H^3 S A K)) in K episodes, K above
            S A poly(H); finite horizon.

        Parameters:

            preset: fills the keys not given: practical, or theory (c = tail = 1, log=on) (one of practical,
                theory; default practical)
            delta: probability with which that guarantee may fail (in (0, 1); default 0.1)
            c: scale of all bonuses, as in c range sqrt(H^3/k) iota (in [0, 1e+100]; default: 0.0015)
            tail: the advantage's bonus has a term tail c range H^2 iota^2/k^(3/4) (in [0, 1e+100]; default:
                0.5)
            settle: a reference settles where the bounds are this near, in units of the range;
                preset=theory: 1 if not given (in [0, 1e+100]; default 0.22)
            log: iota is ln(2 S A H k(k+1)/delta) at the k-th visit, as the proof needs, or 1 (one of on,
                off; default: off)
            ties: which of several greedy actions is taken (one of random, lowest, highest; default random)

        Reference: Li, Shi, Chen, Gu & Chi, Breaking the Sample Complexity Barrier to Regret-Optimal Model-
            Free Reinforcement Learning, NeurIPS 2021.
        """
    def q_learning(
        self,
        env: Any = None,
        *,
        gamma: float | str | None = None,
        q0: float = 0,
        step: str = 'constant',
        alpha: float = 0.45,
        omega: float = 0.8,
        offset: float = 0,
        explore: str | None = None,
        decay: str = 'none',
        epsilon: float = 0.1,
        epsilon_end: float = 0,
        decay_steps: int = 10000,
        c: float = 1,
        temperature: float | None = None,
        ties: str = 'random',
        n_states: int | None = None,
        n_actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        episodic: bool | None = None,
        absent: npt.ArrayLike | None = None,
        episode_steps: int | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        seed: int | None = 1,
        replicate: int = 0,
    ) -> Agent:
        """Q-learning with epsilon-greedy or softmax exploration.

        Guarantee: none in finite time; converges if every pair is visited for ever; discounted, continuing
            or episodic.

        Parameters:

            gamma: discount that it plans with; short: as far ahead as the data of the run reach (in [0, 1);
                default: the problem's)
            q0: initial value of every pair; range/(1-gamma) is optimistic (default 0)
            step: step size: alpha, or 1/(n+offset)^omega at the n-th visit of a pair (one of constant,
                polynomial; default constant)
            alpha: constant step size (in (0, 1]; default 0.45)
            omega: exponent of the polynomial step size (in (0.5, 1]; default 0.8)
            offset: with 0 the first visit erases q0; 1 keeps part of it (at least 0; default 0)
            explore: how to explore; softmax if a temperature is given (one of epsilon, softmax; default:
                epsilon)
            decay: epsilon constant, falling linearly in time, or min(1, c/n(s)) in each state (one of none,
                linear, state; default none)
            epsilon: probability of a random action, at the beginning if it decays linearly (in [0, 1];
                default 0.1)
            epsilon_end: final value of the linear decay (in [0, 1]; default 0)
            decay_steps: steps that linear decay takes (in [1, 9007199254740992]; default 10000)
            c: numerator of the decay by state (at least 0; default 1)
            temperature: softmax: small is greedy, inf is uniform; in units of reward (above 0; default: 0.1
                range)
            ties: which of several greedy actions is taken (one of random, lowest, highest; default random)

        Reference: Watkins, Learning from Delayed Rewards, PhD thesis, Cambridge 1989.
        """
    def r_max(
        self,
        env: Any = None,
        *,
        preset: str = 'practical',
        eps: float | None = None,
        delta: float = 0.1,
        gamma: float | str | None = None,
        m: int | None = None,
        plan: str = 'full',
        eps1: float | None = None,
        tol: float | None = None,
        ties: str = 'random',
        n_states: int | None = None,
        n_actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        episodic: bool | None = None,
        absent: npt.ArrayLike | None = None,
        episode_steps: int | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        seed: int | None = 1,
        replicate: int = 0,
    ) -> Agent:
        """R-max: unknown pairs are assumed maximally rewarding.

        Guarantee: PAC-MDP with preset=theory: O~(S^2 A / (eps^3 (1-gamma)^6)) mistakes; discounted,
            continuing or episodic.

        Parameters:

            preset: fills the keys not given: practical, or theory (from eps, delta) (one of practical,
                theory; default practical)
            eps: accuracy that a theory preset guarantees, in units of value (above 0; default: 0.1
                range/(1-gamma))
            delta: probability with which that guarantee may fail (in (0, 1); default 0.1)
            gamma: discount that it plans with; short: as far ahead as the data of the run reach (in [0, 1);
                default: the problem's)
            m: samples after which a pair is known (in [1, 9007199254740992]; default: 20)
            plan: solve the model when a pair becomes known, or back up the visited pair at each step (one
                of full, rtdp; default full)
            eps1: plan=rtdp: a backup is used if it lowers the value by at least this (at least 0; default:
                0.001 range)
            tol: largest distance of a plan's values from the fixed point (above 0; default: 0.001 range)
            ties: which of several greedy actions is taken (one of random, lowest, highest; default random)

        Reference: Brafman & Tennenholtz, JMLR 3, 2002; Kakade, PhD thesis, 2003; Strehl, Li & Littman, UAI
            2006 (RTDP) and JMLR 10, 2009.
        """
    def rand_ql(
        self,
        env: Any = None,
        *,
        form: str = 'step',
        ensemble: int = 3,
        prior: float | None = None,
        kappa: float = 0.24,
        r0: float = 1,
        falls: bool = False,
        ties: str = 'random',
        n_states: int | None = None,
        n_actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        episodic: bool | None = None,
        absent: npt.ArrayLike | None = None,
        episode_steps: int | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        seed: int | None = 1,
        replicate: int = 0,
    ) -> Agent:
        """Randomised Q-learning: posterior-like, by random step sizes.

        Guarantee: none with these numbers; O~(sqrt(H^5 S A K)) regret in K episodes with form=staged and
            the prior, kappa and ensemble of the proof; finite horizon.

        Parameters:

            form: values change at every step, or at the end of stages that grow (as the proof needs) (one
                of step, staged; default step)
            ensemble: number of random values of every pair; staged: 10 if not given (in [1, 1000]; default
                3)
            prior: weight of the optimistic value with which a pair begins, in transitions (in [1e-06,
                1000000]; default: 0.055/S; staged: 1)
            kappa: the random step sizes spread as those of counts divided by this; staged: 1 if not given
                (in [1e-06, 1000000]; default 0.24)
            r0: staged: the reward a step of that optimistic value, in units of the largest (in [0,
                1000000]; default 1)
            falls: step: on: the value that is acted on never rises (one of off, on; default off)
            ties: which of several greedy actions is taken (one of random, lowest, highest; default random)

        Reference: Tiapkin et al., Model-free Posterior Sampling via Learning Rate Randomization, NeurIPS
            2023.
        """
    def random(
        self,
        env: Any = None,
        *,
        n_states: int | None = None,
        n_actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        episodic: bool | None = None,
        absent: npt.ArrayLike | None = None,
        episode_steps: int | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        seed: int | None = 1,
        replicate: int = 0,
    ) -> Agent:
        """Random policy: every action equally likely (baseline).

        Guarantee: none: it does not learn.

        Reference: none: the uniform policy.
        """
    def rf_express(
        self,
        env: Any = None,
        *,
        preset: str = 'practical',
        eps: float | None = None,
        delta: float = 0.1,
        scale: float | None = None,
        dim: float | None = None,
        c: float | None = None,
        stages: str | None = None,
        ties: str = 'random',
        n_states: int | None = None,
        n_actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        episodic: bool | None = None,
        absent: npt.ArrayLike | None = None,
        episode_steps: int | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        seed: int | None = 1,
        replicate: int = 0,
    ) -> Agent:
        """Reward-free exploration with 1/n bonuses, then the plan for the rewards.

        Guarantee: with preset=theory: stops after O~(H^3 S^2 A/eps^2) episodes and can then plan for any
            known reward within eps an episode, probability 1-delta; finite horizon.

        Parameters:

            preset: fills the keys not given: practical, or theory (from delta) (one of practical, theory;
                default practical)
            eps: stop when the policy is proved to lose at most this in an episode, in units of reward
                (above 0; default: 0.1 horizon range)
            delta: probability with which that proof may fail (in (0, 1); default 0.1)
            scale: factor of the rates beta; the theorem has 1 (at least 0; default: 0.014)
            dim: factor of the logarithm of the visits in beta; theory: the number of outcomes (at least 0;
                default: 1)
            c: factor of beta/n; theory: 15 horizon^2 (at least 0; default: 0.0027 horizon)
            stages: one model for all steps, or one for each (one of shared, apart; default: shared)
            ties: which of several greedy actions is taken (one of random, lowest, highest; default random)

        Reference: Menard, Domingues, Jonsson, Kaufmann, Leurent & Valko, Fast active learning for pure
            exploration in reinforcement learning, arXiv 2007.13442, 2020.
        """
    def rf_ucrl(
        self,
        env: Any = None,
        *,
        preset: str = 'practical',
        eps: float | None = None,
        delta: float = 0.1,
        scale: float | None = None,
        dim: float | None = None,
        stages: str | None = None,
        ties: str = 'random',
        n_states: int | None = None,
        n_actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        episodic: bool | None = None,
        absent: npt.ArrayLike | None = None,
        episode_steps: int | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        seed: int | None = 1,
        replicate: int = 0,
    ) -> Agent:
        """Reward-free UCRL: explores by error bounds, then plans for the rewards.

        Guarantee: with preset=theory: stops after O~(H^4 S^2 A/eps^2) episodes and can then plan for any
            known reward within eps an episode, probability 1-delta; finite horizon.

        Parameters:

            preset: fills the keys not given: practical, or theory (from delta) (one of practical, theory;
                default practical)
            eps: stop when the policy is proved to lose at most this in an episode, in units of reward
                (above 0; default: 0.1 horizon range)
            delta: probability with which that proof may fail (in (0, 1); default 0.1)
            scale: factor of the rates beta; the theorem has 1 (at least 0; default: 0.023/horizon^2)
            dim: factor of the logarithm of the visits in beta; theory: the number of outcomes less 1 (at
                least 0; default: 1)
            stages: one model for all steps, or one for each (one of shared, apart; default: shared)
            ties: which of several greedy actions is taken (one of random, lowest, highest; default random)

        Reference: Kaufmann, Menard, Domingues, Jonsson, Leurent & Valko, Adaptive reward-free exploration,
            ALT 2021 (arXiv 2006.06294).
        """
    def rlsvi(
        self,
        env: Any = None,
        *,
        gamma: float | str | None = None,
        sp: float | None = None,
        sn: float | None = None,
        resample: str = 'geometric',
        tau: int | None = None,
        tol: float | None = None,
        ties: str = 'random',
        n_states: int | None = None,
        n_actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        episodic: bool | None = None,
        absent: npt.ArrayLike | None = None,
        episode_steps: int | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        seed: int | None = 1,
        replicate: int = 0,
    ) -> Agent:
        """Randomised least-squares value iteration, tabular.

        Guarantee: Bayesian regret O~(sqrt(H^3 S A T)) in its finite-horizon form; no PAC-MDP bound;
            discounted, continuing or episodic.

        Parameters:

            gamma: discount that it plans with; short: as far ahead as the data of the run reach (in [0, 1);
                default: the problem's)
            sp: prior standard deviation of a value, in units of value (in [1e-70, 1e+70]; default: 1.3
                range/(1-gamma))
            sn: standard deviation of the noise, in units of reward (in [1e-70, 1e+70]; default: 0.028
                range)
            resample: when to sample: with probability 1-gamma, every tau steps, or by TSDE's rule (one of
                geometric, fixed, tsde; default geometric)
            tau: resample=fixed: steps between samples (in [1, 9007199254740992]; default: 1/(1-gamma))
            tol: largest distance of a plan's values from the fixed point (above 0; default: 0.001 range)
            ties: which of several greedy actions is taken (one of random, lowest, highest; default random)

        Reference: Osband, Van Roy & Wen, Generalization and Exploration via Randomized Value Functions,
            ICML 2016.
        """
    def rlsvi_episodic(
        self,
        env: Any = None,
        *,
        sp: float | None = None,
        sn: float | None = None,
        stages: str | None = None,
        ties: str = 'random',
        n_states: int | None = None,
        n_actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        episodic: bool | None = None,
        absent: npt.ArrayLike | None = None,
        episode_steps: int | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        seed: int | None = 1,
        replicate: int = 0,
    ) -> Agent:
        """Randomised least-squares value iteration by steps, drawn for every episode.

        Guarantee: Bayesian regret O~(sqrt(H^3 S A T)) in T steps; finite horizon.

        Parameters:

            sp: prior standard deviation of a value, in units of value (in [1e-70, 1e+70]; default: horizon
                range)
            sn: standard deviation of the noise, in units of reward (in [1e-70, 1e+70]; default: 0.022
                range)
            stages: one model for all steps, or one for each (one of shared, apart; default: shared)
            ties: which of several greedy actions is taken (one of random, lowest, highest; default random)

        Reference: Osband, Van Roy & Wen, Generalization and Exploration via Randomized Value Functions,
            ICML 2016.
        """
    def speedy_q(
        self,
        env: Any = None,
        *,
        gamma: float | str | None = None,
        form: str = 'round',
        q0: float = 0,
        explore: str | None = None,
        epsilon: float = 0.1,
        temperature: float | None = None,
        ties: str = 'random',
        n_states: int | None = None,
        n_actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        episodic: bool | None = None,
        absent: npt.ArrayLike | None = None,
        episode_steps: int | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        seed: int | None = 1,
        replicate: int = 0,
    ) -> Agent:
        """Speedy Q-learning with epsilon-greedy or softmax exploration.

        Guarantee: none for exploring; with form=round and n samples of every pair the error is O~(1 /
            ((1-gamma)^2 sqrt(n))); discounted, continuing or episodic.

        Parameters:

            gamma: discount that it plans with; short: as far ahead as the data of the run reach (in [0, 1);
                default: the problem's)
            form: update at every step, or all pairs together once each has been visited (one of step,
                round; default round)
            q0: initial value of every pair; range/(1-gamma) is optimistic (default 0)
            explore: how to explore; softmax if a temperature is given (one of epsilon, softmax; default:
                epsilon)
            epsilon: probability of a random action (in [0, 1]; default 0.1)
            temperature: softmax: small is greedy, inf is uniform; in units of reward (above 0; default: 0.1
                range)
            ties: which of several greedy actions is taken (one of random, lowest, highest; default random)

        Reference: Azar, Munos, Ghavamzadeh & Kappen, Speedy Q-learning, NIPS 2011.
        """
    def ubev(
        self,
        env: Any = None,
        *,
        preset: str = 'practical',
        delta: float = 0.1,
        l: float | None = None,
        scale: float | None = None,
        stages: str | None = None,
        replan: float = 1,
        ties: str = 'random',
        n_states: int | None = None,
        n_actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        episodic: bool | None = None,
        absent: npt.ArrayLike | None = None,
        episode_steps: int | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        seed: int | None = 1,
        replicate: int = 0,
    ) -> Agent:
        """UBEV: optimism by steps with widths that hold at all times; uniform PAC.

        Guarantee: uniform PAC with preset=theory: O~(S A H^4/eps^2 min(1 + eps S^2 A, S)) episodes worse
            than eps, for all eps at once; finite horizon.

        Parameters:

            preset: fills the keys not given: practical, or theory (from delta) (one of practical, theory;
                default practical)
            delta: probability with which that guarantee may fail (in (0, 1); default 0.1)
            l: L, the logarithm in the bonus; preset=theory: ln(18 S A H/delta) (at least 0; default: 1)
            scale: factor of the bonus; the theorem has 1 (at least 0; default: 0.1)
            stages: one model for all steps, or one for each (one of shared, apart; default: shared;
                preset=theory: apart)
            replan: plan after an episode if the visits of a pair have grown by this factor (at least 1;
                default 1)
            ties: which of several greedy actions is taken (one of random, lowest, highest; default random)

        Reference: Dann, Lattimore & Brunskill, Unifying PAC and Regret: Uniform PAC Bounds for Episodic
            Reinforcement Learning, NIPS 2017.
        """
    def ucb_b(
        self,
        env: Any = None,
        *,
        preset: str = 'practical',
        delta: float = 0.1,
        c1: float | None = None,
        c2: float | None = None,
        tail: float | None = None,
        log: bool = False,
        ties: str = 'random',
        n_states: int | None = None,
        n_actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        episodic: bool | None = None,
        absent: npt.ArrayLike | None = None,
        episode_steps: int | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        seed: int | None = 1,
        replicate: int = 0,
    ) -> Agent:
        """Q-learning with Bernstein bonuses for a finite horizon.

        Guarantee: regret with preset=theory, for large enough c1: O~(sqrt(H^4 S A K) + sqrt(H^9 S^3 A^3))
            in K episodes; finite horizon.

        Parameters:

            preset: fills the keys not given: practical, or theory (c1 = c2 = 2, log=on) (one of practical,
                theory; default practical)
            delta: probability with which that guarantee may fail (in (0, 1); default 0.1)
            c1: beta is at most c1 (sqrt(H (W+H) iota/k) + tail iota/k), in units of the range (in [0,
                1e+100]; default: 0.0033)
            c2: beta is at most c2 sqrt(H^3 iota/k), in units of the range (in [0, 1e+100]; default: 0.05)
            tail: weight of 1/k in beta; sqrt(H^7 S A) in theory (in [0, 1e+100]; default: 0)
            log: iota is ln(2 S A H k(k+1)/delta) at the k-th visit, as the proof needs, or 1 (one of on,
                off; default: off)
            ties: which of several greedy actions is taken (one of random, lowest, highest; default random)

        Reference: Jin, Allen-Zhu, Bubeck & Jordan, Is Q-learning Provably Efficient?, NeurIPS 2018,
            Algorithm 2.
        """
    def ucb_h(
        self,
        env: Any = None,
        *,
        preset: str = 'practical',
        delta: float = 0.1,
        c: float | None = None,
        log: bool = False,
        ties: str = 'random',
        n_states: int | None = None,
        n_actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        episodic: bool | None = None,
        absent: npt.ArrayLike | None = None,
        episode_steps: int | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        seed: int | None = 1,
        replicate: int = 0,
    ) -> Agent:
        """Q-learning with Hoeffding bonuses for a finite horizon.

        Guarantee: regret with preset=theory: O~(sqrt(H^5 S A K)) in K episodes; finite horizon.

        Parameters:

            preset: fills the keys not given: practical, or theory (c = 1, log=on) (one of practical,
                theory; default practical)
            delta: probability with which that guarantee may fail (in (0, 1); default 0.1)
            c: the bonus of the k-th visit is c range sqrt(H^3 iota/k) (in [0, 1e+100]; default: 0.001)
            log: iota is ln(2 S A H k(k+1)/delta) at the k-th visit, as the proof needs, or 1 (one of on,
                off; default: off)
            ties: which of several greedy actions is taken (one of random, lowest, highest; default random)

        Reference: Jin, Allen-Zhu, Bubeck & Jordan, Is Q-learning Provably Efficient?, NeurIPS 2018,
            Algorithm 1.
        """
    def ucb_q(
        self,
        env: Any = None,
        *,
        preset: str = 'practical',
        eps: float | None = None,
        delta: float = 0.1,
        gamma: float | str | None = None,
        c: float | None = None,
        h: float | None = None,
        log: bool = False,
        ties: str = 'random',
        n_states: int | None = None,
        n_actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        episodic: bool | None = None,
        absent: npt.ArrayLike | None = None,
        episode_steps: int | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        seed: int | None = 1,
        replicate: int = 0,
    ) -> Agent:
        """Q-learning with upper confidence bounds.

        Guarantee: PAC-MDP with preset=theory: O~(SA / (eps^2 (1-gamma)^7)) mistakes; discounted, continuing
            or episodic.

        Parameters:

            preset: fills the keys not given: practical, or theory (from eps and delta) (one of practical,
                theory; default practical)
            eps: accuracy that a theory preset guarantees, in units of value (above 0; default: 0.1
                range/(1-gamma))
            delta: probability with which that guarantee may fail (in (0, 1); default 0.1)
            gamma: discount that it plans with; short: as far ahead as the data of the run reach (in [0, 1);
                default: the problem's)
            c: the bonus of the k-th visit is c range sqrt(h iota/k) (at least 0; default: 0.0037)
            h: the step size of the k-th visit is (h+1)/(h+k) (at least 0; default: 1/(1-gamma))
            log: iota is ln(SA(k+1)(k+2)/delta), as the proof needs, or 1 (one of on, off; default: off)
            ties: which of several greedy actions is taken (one of random, lowest, highest; default random)

        Reference: Dong, Wang, Chen & Wang, Q-learning with UCB Exploration is Sample Efficient for
            Infinite-Horizon MDP, ICLR 2020.
        """
    def ucbmq(
        self,
        env: Any = None,
        *,
        c: float = 0.027,
        ties: str = 'random',
        n_states: int | None = None,
        n_actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        episodic: bool | None = None,
        absent: npt.ArrayLike | None = None,
        episode_steps: int | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        seed: int | None = 1,
        replicate: int = 0,
    ) -> Agent:
        """Momentum Q-learning with upper confidence bounds for a finite horizon.

        Guarantee: none with this bonus; O~(sqrt(H^3 S A K) + H^4 S A) regret in K episodes with that of the
            proof; finite horizon.

        Parameters:

            c: the bonus of the n-th visit is range min(left, c/sqrt(n) + left/n), left the steps left (in
                [0, 1e+100]; default 0.027)
            ties: which of several greedy actions is taken (one of random, lowest, highest; default random)

        Reference: Menard, Domingues, Shang & Valko, UCB Momentum Q-learning: Correcting the Bias without
            Forgetting, ICML 2021.
        """
    def ucbvi(
        self,
        env: Any = None,
        *,
        preset: str = 'practical',
        delta: float = 0.1,
        episodes: int | None = None,
        bonus: str = 'bernstein',
        constants: str = '2025',
        l: float | None = None,
        scale: float | None = None,
        correction: float | None = None,
        stages: str | None = None,
        replan: float = 1,
        ties: str = 'random',
        n_states: int | None = None,
        n_actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        episodic: bool | None = None,
        absent: npt.ArrayLike | None = None,
        episode_steps: int | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        seed: int | None = 1,
        replicate: int = 0,
    ) -> Agent:
        """UCBVI: optimistic value iteration by steps, with Hoeffding or Bernstein bonus.

        Guarantee: regret with preset=theory: O~(sqrt(H^2 S A K)) in K episodes from about H^2 S^3 A on,
            bonus=hoeffding O~(sqrt(H^3 S A K)); finite horizon.

        Parameters:

            preset: fills the keys not given: practical, or theory (from delta) (one of practical, theory;
                default practical)
            delta: probability with which that guarantee may fail (in (0, 1); default 0.1)
            episodes: episodes for which that guarantee is made (in [1, 9007199254740992]; default: as many
                as the run can have, or 10000)
            bonus: UCBVI-CH, or UCBVI-BF with the variance of the next value (one of hoeffding, bernstein;
                default bernstein)
            constants: of the paper, or the smaller ones of Drago, Mussi & Metelli (one of 2017, 2025;
                default 2025)
            l: L, the logarithm in the bonus; preset=theory: ln(5 S A K H/delta) (at least 0; default: 1)
            scale: factor of the bonus; the theorem has 1 (at least 0; default: 0.05, bonus=hoeffding 0.01)
            correction: factor of the third term of bonus=bernstein; the theorem has 1 (at least 0; default:
                0)
            stages: one model for all steps, or one for each (one of shared, apart; default: shared)
            replan: plan after an episode if the visits of a pair have grown by this factor (at least 1;
                default 1)
            ties: which of several greedy actions is taken (one of random, lowest, highest; default random)

        Reference: Azar, Osband & Munos, Minimax Regret Bounds for Reinforcement Learning, ICML 2017; Drago,
            Mussi & Metelli, arXiv 2502.17370, 2025.
        """
    def ucbvi_gamma(
        self,
        env: Any = None,
        *,
        preset: str = 'practical',
        delta: float = 0.1,
        steps: int | None = None,
        gamma: float | str | None = None,
        u: float | None = None,
        b: float | None = None,
        ties: str = 'random',
        n_states: int | None = None,
        n_actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        episodic: bool | None = None,
        absent: npt.ArrayLike | None = None,
        episode_steps: int | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        seed: int | None = 1,
        replicate: int = 0,
    ) -> Agent:
        """UCBVI-gamma: discounted optimistic value iteration with a Bernstein bonus.

        Guarantee: discounted regret O~(sqrt(S A T)/(1-gamma)^1.5) with preset=theory, for deterministic
            rewards; discounted, continuing or episodic.

        Parameters:

            preset: fills the keys not given: practical, or theory (from delta, steps) (one of practical,
                theory; default practical)
            delta: probability with which that guarantee may fail (in (0, 1); default 0.1)
            steps: steps for which a theory preset makes its bound (in [2, 9007199254740992]; default: the
                run's, or 10000)
            gamma: discount that it plans with; short: as far ahead as the data of the run reach (in [0, 1);
                default: the problem's)
            u: U of the paper: logarithm of one over the risk (at least 0; default: 0.01)
            b: weight of how rough the values of the successors are; 100 in the paper (at least 0; default:
                0)
            ties: which of several greedy actions is taken (one of random, lowest, highest; default random)

        Reference: He, Zhou & Gu, Nearly Minimax Optimal Reinforcement Learning for Discounted MDPs, NeurIPS
            2021.
        """
    def ucrl2(
        self,
        env: Any = None,
        *,
        preset: str = 'practical',
        delta: float = 0.1,
        scale: float | None = None,
        ties: str = 'random',
        n_states: int | None = None,
        n_actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        episodic: bool | None = None,
        absent: npt.ArrayLike | None = None,
        episode_steps: int | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        seed: int | None = 1,
        replicate: int = 0,
    ) -> Agent:
        """UCRL2: optimism for average reward, in episodes that double the visits.

        Guarantee: regret at most 34 range D S sqrt(A T ln(T/delta)) with preset=theory; average reward,
            communicating (diameter D).

        Parameters:

            preset: fills the keys not given: practical, or theory (scale = 1) (one of practical, theory;
                default practical)
            delta: probability with which the bound on the regret may fail (in (0, 1); default 0.1)
            scale: factor on both confidence widths; 1 as in the paper (at least 0; default: 0.018)
            ties: which of several greedy actions is taken (one of random, lowest, highest; default random)

        Reference: Jaksch, Ortner & Auer, Near-optimal Regret Bounds for Reinforcement Learning, JMLR 11,
            2010.
        """
    def ucrl2b(
        self,
        env: Any = None,
        *,
        preset: str = 'practical',
        delta: float = 0.1,
        scale: float | None = None,
        ties: str = 'random',
        n_states: int | None = None,
        n_actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        episodic: bool | None = None,
        absent: npt.ArrayLike | None = None,
        episode_steps: int | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        seed: int | None = 1,
        replicate: int = 0,
    ) -> Agent:
        """UCRL2B: UCRL2 with empirical Bernstein intervals.

        Guarantee: regret O~(range sqrt(D B S A T)) with preset=theory, B successors of a pair at most;
            average reward, communicating (diameter D).

        Parameters:

            preset: fills the keys not given: practical, or theory (scale = 1) (one of practical, theory;
                default practical)
            delta: probability with which the bound on the regret may fail (in (0, 1); default 0.1)
            scale: factor on all confidence widths; 1 as in the paper (at least 0; default: 0.0061)
            ties: which of several greedy actions is taken (one of random, lowest, highest; default random)

        Reference: Fruit, Pirotta & Lazaric, Improved Analysis of UCRL2 with Empirical Bernstein Inequality,
            2020 (arXiv 2007.05456).
        """
    def ucrl3(
        self,
        env: Any = None,
        *,
        preset: str = 'practical',
        delta: float = 0.1,
        scale: float | None = None,
        kappa: float | None = None,
        sure: str = 'interval',
        ties: str = 'random',
        n_states: int | None = None,
        n_actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        episodic: bool | None = None,
        absent: npt.ArrayLike | None = None,
        episode_steps: int | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        seed: int | None = 1,
        replicate: int = 0,
    ) -> Agent:
        """UCRL3: UCRL2 with tight intervals and rows of few unseen states.

        Guarantee: regret O~(range D S sqrt(A T)) and less with preset=theory, by the local diameters and
            the spread of the rows; average reward, communicating (diameter D).

        Parameters:

            preset: fills the keys not given: practical, or theory (scale = 1, kappa = 10) (one of
                practical, theory; default practical)
            delta: probability with which the bound on the regret may fail (in (0, 1); default 0.1)
            scale: factor on the logarithms of all intervals; 1 as in the paper (at least 0; default: 0.02)
            kappa: what rows may lose to be simpler, in units of span/N^(2/3); 10 in the authors' program
                (at least 0; default: 0)
            sure: least probability of a successor that always came: by its interval, or 2^(-1/n) as in the
                authors' program (one of interval, half; default interval)
            ties: which of several greedy actions is taken (one of random, lowest, highest; default random)

        Reference: Bourel, Maillard & Talebi, Tightening Exploration in Upper Confidence Reinforcement
            Learning, ICML 2020.
        """
    def ucrl_gamma(
        self,
        env: Any = None,
        *,
        preset: str = 'practical',
        eps: float | None = None,
        delta: float = 0.1,
        gamma: float | str | None = None,
        l1: float | None = None,
        a: float | None = None,
        batch: int | None = None,
        delay: int | None = None,
        tol: float | None = None,
        ties: str = 'random',
        n_states: int | None = None,
        n_actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        episodic: bool | None = None,
        absent: npt.ArrayLike | None = None,
        episode_steps: int | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        seed: int | None = 1,
        replicate: int = 0,
    ) -> Agent:
        """UCRL-gamma: discounted optimism over an interval for each probability.

        Guarantee: the original: O~(S A / (eps^2 (1-gamma)^3)) mistakes if every pair has at most two
            successors; this practical variant has no proof; discounted, continuing or episodic.

        Parameters:

            preset: fills the keys not given: practical, or theory (from eps, delta) (one of practical,
                theory; default practical)
            eps: accuracy that a theory preset guarantees, in units of value (above 0; default: 0.1
                range/(1-gamma))
            delta: probability with which that guarantee may fail (in (0, 1); default 0.1)
            gamma: discount that it plans with; short: as far ahead as the data of the run reach (in [0, 1);
                default: the problem's)
            l1: L1 of the paper: logarithm of one over the risk of an interval (at least 0; default: 0.5)
            a: reward intervals of a range/sqrt(n) (at least 0; default: 0.027)
            batch: new visits of a pair that trigger a plan (in [1, 9007199254740992]; default: 1)
            delay: steps between reaching that number and planning (in [0, 9007199254740992]; default: 0)
            tol: largest distance of a plan's values from the fixed point (above 0; default: 0.001 range)
            ties: which of several greedy actions is taken (one of random, lowest, highest; default random)

        Reference: Lattimore & Hutter, Near-Optimal PAC Bounds for Discounted MDPs, Theoretical Computer
            Science 558, 2014.
        """
    def v_max(
        self,
        env: Any = None,
        *,
        preset: str = 'practical',
        eps: float | None = None,
        delta: float = 0.1,
        gamma: float | str | None = None,
        m: int | None = None,
        tol: float | None = None,
        ties: str = 'random',
        n_states: int | None = None,
        n_actions: int | None = None,
        reward_range: tuple[float, float] | None = None,
        episodic: bool | None = None,
        absent: npt.ArrayLike | None = None,
        episode_steps: int | None = None,
        states: Numbers | None = None,
        actions: Numbers | None = None,
        seed: int | None = 1,
        replicate: int = 0,
    ) -> Agent:
        """V-max: optimistic values replace only the missing samples.

        Guarantee: PAC-MDP with preset=theory: O~(S^2 A / (eps^3 (1-gamma)^6)) mistakes; discounted,
            continuing or episodic.

        Parameters:

            preset: fills the keys not given: practical, or theory (from eps, delta) (one of practical,
                theory; default practical)
            eps: accuracy that a theory preset guarantees, in units of value (above 0; default: 0.1
                range/(1-gamma))
            delta: probability with which that guarantee may fail (in (0, 1); default 0.1)
            gamma: discount that it plans with; short: as far ahead as the data of the run reach (in [0, 1);
                default: the problem's)
            m: samples after which a pair is known (in [1, 9007199254740992]; default: 20)
            tol: largest distance of a plan's values from the fixed point (above 0; default: 0.001 range)
            ties: which of several greedy actions is taken (one of random, lowest, highest; default random)

        Reference: Rao & Whiteson, V-MAX: Tempered Optimism for Better PAC Reinforcement Learning, AAMAS
            2012.
        """

class Environments(Catalog):
    def bridge(
        self,
        *,
        n: int = 5,
        noise: float = 0,
        low: float = 1,
        high: float = 10,
        fall: float = -100,
        horizon: int | None = None,
        gamma: float | None = None,
        average: bool = False,
    ) -> MDP:
        """A narrow bridge to a large reward over a river that costs much.

        Parameters:

            n: length of the bridge; there are 3 (n + 2) states (in [1, 1000000]; default 5)
            noise: probability of moving to one side of the intended direction (in [0, 1]; default 0)
            low: reward of turning back (default 1)
            high: reward of crossing (default 10)
            fall: reward of falling into the river (default -100)
            horizon: criterion: the reward of an episode, which is cut after so many steps (in [1,
                1000000000]; default: none)
            gamma: criterion: the discounted sum of rewards, for all agents (in (0, 1); default: 0.95)
            average: criterion: the average reward of a step (one of off, on; default off)

        Reference: Choshen, Fox & Loewenstein 2018 (DORA), and the authors' code.
        """
    def chain(
        self,
        *,
        n: int = 10,
        slip: float = 0.2,
        left: float = 0.001,
        right: float = 1,
        left_paid: str = 'arrival',
        right_paid: str = 'arrival',
        horizon: int | None = None,
        gamma: float | None = None,
        average: bool = False,
    ) -> MDP:
        """A chain with a small reward at the near end and a large one at the far end.

        Parameters:

            n: number of states (in [2, 100000000]; default 10)
            slip: probability that a move goes the opposite way (in [0, 1]; default 0.2)
            left: reward at the left end (default 0.001)
            right: reward at the right end (default 1)
            left_paid: left is paid on arrival at its end, for choosing left there, or for staying there
                (one of arrival, choice, stay; default arrival)
            right_paid: right is paid on arrival at its end, for choosing right there, or for staying there
                (one of arrival, choice, stay; default arrival)
            horizon: criterion: the reward of an episode, which is cut after so many steps (in [1,
                1000000000]; default: none)
            gamma: criterion: the discounted sum of rewards, for all agents (in (0, 1); default: 0.95)
            average: criterion: the average reward of a step (one of off, on; default off)

        Reference: Oh & Iyengar 2018, section 4.
        """
    def cliff_walking(
        self,
        *,
        slippery: bool = False,
        step: float = -1,
        fall: float = -100,
        horizon: int | None = None,
        gamma: float | None = None,
        average: bool = False,
    ) -> MDP:
        """The shortest way leads along a cliff; Gymnasium's CliffWalking-v1.

        Parameters:

            slippery: whether a move may go to either side of the intended direction (one of off, on;
                default off)
            step: reward of a step (default -1)
            fall: reward of stepping off the cliff (default -100)
            horizon: criterion: the reward of an episode, which is cut after so many steps (in [1,
                1000000000]; default: none)
            gamma: criterion: the discounted sum of rewards, for all agents (in (0, 1); default: 0.95)
            average: criterion: the average reward of a step (one of off, on; default off)

        Reference: Sutton & Barto 2018, example 6.6; Gymnasium 1.4, CliffWalking-v1.
        """
    def combination_lock(
        self,
        *,
        n: int = 10,
        actions: int = 2,
        slip: float = 0,
        reward: float = 1,
        wrong: float = 0,
        seed: int = 0,
        horizon: int | None = None,
        gamma: float | None = None,
        average: bool = False,
    ) -> MDP:
        """A lock that opens after n right actions in a row; any wrong one starts over.

        Parameters:

            n: length of the combination, and number of states (in [1, 1000000]; default 10)
            actions: number of actions, one of which is right (in [2, 1000]; default 2)
            slip: probability that a right action falls back too (in [0, 1]; default 0)
            reward: reward of opening the lock (default 1)
            wrong: reward of a wrong action (default 0)
            seed: seed of the combination (in [0, 9007199254740991]; default 0)
            horizon: criterion: the reward of an episode, which is cut after so many steps (in [1,
                1000000000]; default: none)
            gamma: criterion: the discounted sum of rewards, for all agents (in (0, 1); default: 0.95)
            average: criterion: the average reward of a step (one of off, on; default off)

        Reference: Koenig & Simmons 1993; the Combolock of Langford's RL_acid.
        """
    def deepsea(
        self,
        *,
        n: int = 10,
        stochastic: bool = False,
        cost: float = 0.01,
        treasure: float = 1,
        noise: float | None = None,
        mapping: str = 'random',
        seed: int = 0,
        horizon: int | None = None,
        gamma: float | None = None,
        average: bool = False,
    ) -> MDP:
        """A dive of n steps in which a single sequence of actions finds the treasure.

        Parameters:

            n: rows and columns; there are n^2 + 1 states (in [1, 2000]; default 10)
            stochastic: whether steps to the right fail with probability 1 / n (one of off, on; default off)
            cost: what n steps to the right cost together (at least 0; default 0.01)
            treasure: reward at the end of the one path of rights (default 1)
            noise: rewards at both ends of the last row vary by +-noise, each with probability 1/2 (at least
                0; default: 1, with stochastic=off 0)
            mapping: whether the action that leads right is drawn for every cell, or always action 1 (one of
                random, fixed; default random)
            seed: seed of the mapping (in [0, 9007199254740991]; default 0)
            horizon: criterion: the reward of an episode, which is cut after so many steps (in [1,
                1000000000]; default: none)
            gamma: criterion: the discounted sum of rewards, for all agents (in (0, 1); default: 0.95)
            average: criterion: the average reward of a step (one of off, on; default off)

        Reference: Osband et al. 2019 (bsuite).
        """
    def dirichlet(
        self,
        *,
        states: int = 10,
        actions: int = 3,
        alpha: float = 1,
        rewarded: float = 1,
        seed: int = 0,
        horizon: int | None = None,
        gamma: float | None = None,
        average: bool = False,
    ) -> MDP:
        """Random dense models, drawn from the prior of Bayesian agents.

        Parameters:

            states: number of states (in [1, 10000]; default 10)
            actions: number of actions (in [1, 10000]; default 3)
            alpha: the parameter of each successor (in [0.0001, 1000000]; default 1)
            rewarded: share of the pairs that pay a reward (in [0, 1]; default 1)
            seed: seed of the model (in [0, 9007199254740991]; default 0)
            horizon: criterion: the reward of an episode, which is cut after so many steps (in [1,
                1000000000]; default: none)
            gamma: criterion: the discounted sum of rewards, for all agents (in (0, 1); default: 0.95)
            average: criterion: the average reward of a step (one of off, on; default off)

        Reference: Strens 2000; Osband, Russo & Van Roy 2013.
        """
    def file(self, *, path: str) -> MDP:
        """A model from a file, as in file:models/maze.mdp.

        Parameters:

            path: the file: .mdp or .pomdp (Cassandra), .drn (Storm) or .json (Gymnasium's P); behind it may
                stand ,gamma=G or ,horizon=H or ,average=on in place of what the file says (default
                model.drn)

        Reference: Cassandra's format, Storm's DRN, or Gymnasium's P as JSON.
        """
    def four_rooms(
        self,
        *,
        goal: int = 62,
        start: int = -1,
        slip: float = 0.3333333333333333,
        reward: float = 1,
        horizon: int | None = None,
        gamma: float | None = None,
        average: bool = False,
    ) -> MDP:
        """Four rooms joined by hallways, with moves that often miss their direction.

        Parameters:

            goal: the cell that pays and ends the episode (in [0, 103]; default 62)
            start: the first cell; -1 for any but the goal with equal probability (in [-1, 103]; default -1)
            slip: probability of moving in one of the other three directions (in [0, 1]; default
                0.3333333333333333)
            reward: reward of reaching the goal (default 1)
            horizon: criterion: the reward of an episode, which is cut after so many steps (in [1,
                1000000000]; default: none)
            gamma: criterion: the discounted sum of rewards, for all agents (in (0, 1); default: 0.95)
            average: criterion: the average reward of a step (one of off, on; default off)

        Reference: Sutton, Precup & Singh 1999, figure 2.
        """
    def frozen_lake(
        self,
        *,
        map: str = '4x4',
        slippery: bool = True,
        success: float = 0.3333333333333333,
        goal: float = 1,
        hole: float = 0,
        frozen: float = 0,
        horizon: int | None = None,
        gamma: float | None = None,
        average: bool = False,
    ) -> MDP:
        """A walk over slippery ice between holes; Gymnasium's FrozenLake-v1.

        Parameters:

            map: 4x4, 8x8, rows of S, F, H and G separated by '/', or @FILE with one row per line (default
                4x4)
            slippery: whether a move may go to either side of the intended direction (one of off, on;
                default on)
            success: probability of the intended direction on slippery ice (in [0, 1]; default
                0.3333333333333333)
            goal: reward of reaching G (default 1)
            hole: reward of falling into H (default 0)
            frozen: reward of every other step (default 0)
            horizon: criterion: the reward of an episode, which is cut after so many steps (in [1,
                1000000000]; default: none)
            gamma: criterion: the discounted sum of rewards, for all agents (in (0, 1); default: 0.95)
            average: criterion: the average reward of a step (one of off, on; default off)

        Reference: Gymnasium 1.4, FrozenLake-v1.
        """
    def garnet(
        self,
        *,
        states: int = 50,
        actions: int = 4,
        branching: int = 3,
        rewarded: float = 0.1,
        seed: int = 0,
        horizon: int | None = None,
        gamma: float | None = None,
        average: bool = False,
    ) -> MDP:
        """Random sparse models: a few random successors of every pair.

        Parameters:

            states: number of states (in [1, 100000000]; default 50)
            actions: number of actions (in [1, 10000]; default 4)
            branching: number of successors of a pair, at most states (in [1, 1000000]; default 3)
            rewarded: share of the pairs that pay a reward (in [0, 1]; default 0.1)
            seed: seed of the model (in [0, 9007199254740991]; default 0)
            horizon: criterion: the reward of an episode, which is cut after so many steps (in [1,
                1000000000]; default: none)
            gamma: criterion: the discounted sum of rewards, for all agents (in (0, 1); default: 0.95)
            average: criterion: the average reward of a step (one of off, on; default off)

        Reference: Archibald, McKinnon & Thomas 1995; Bhatnagar et al. 2009, section 8.
        """
    def grid(
        self,
        *,
        map: str = 'S..../.##.P/.#.../.#.#./...#G',
        slip: float = 0,
        step: float = 0,
        goal: float = 1,
        pit: float = -1,
        horizon: int | None = None,
        gamma: float | None = None,
        average: bool = False,
    ) -> MDP:
        """A grid world drawn as a text map, in the spec or in a file.

        Parameters:

            map: rows of '#', '.', S, G and P separated by '/', or @FILE with one row per line (default
                S..../.##.P/.#.../.#.#./...#G)
            slip: probability of moving to one side of the intended direction (in [0, 1]; default 0)
            step: reward of a step (default 0)
            goal: reward of reaching G (default 1)
            pit: reward of falling into P (default -1)
            horizon: criterion: the reward of an episode, which is cut after so many steps (in [1,
                1000000000]; default: none)
            gamma: criterion: the discounted sum of rewards, for all agents (in (0, 1); default: 0.95)
            average: criterion: the average reward of a step (one of off, on; default off)

        Reference: common; the map is the user's.
        """
    def hard_bandit(
        self,
        *,
        actions: int = 4,
        depth: int = 1,
        gap: float = 0.1,
        leave: float = 0.1,
        best: int = -1,
        seed: int = 0,
        horizon: int | None = None,
        gamma: float | None = None,
        average: bool = False,
    ) -> MDP:
        """The construction of lower bounds: one of many pairs is slightly better.

        Parameters:

            actions: number of actions (in [2, 10000]; default 4)
            depth: levels of the tree; there are actions^(depth + 1) arms (in [0, 23]; default 1)
            gap: by how much the best arm is better (in [0, 0.5]; default 0.1)
            leave: probability of leaving the good or the bad state (in (0, 1]; default 0.1)
            best: the best arm, leaf * actions + action; -1 draws it (in [-1, 10000000]; default -1)
            seed: seed of the best arm (in [0, 9007199254740991]; default 0)
            horizon: criterion: the reward of an episode, which is cut after so many steps (in [1,
                1000000000]; default: none)
            gamma: criterion: the discounted sum of rewards, for all agents (in (0, 1); default: 0.95)
            average: criterion: the average reward of a step (one of off, on; default off)

        Reference: Jaksch, Ortner & Auer 2010; Lattimore & Szepesvari 2020, section 38.7.
        """
    def loop(
        self,
        *,
        length: int = 5,
        small: float = 1,
        large: float = 2,
        horizon: int | None = None,
        gamma: float | None = None,
        average: bool = False,
    ) -> MDP:
        """Two loops from one state: an easy one that pays 1, a strict one that pays 2.

        Parameters:

            length: steps of each loop; there are 2 length - 1 states (in [2, 1000000]; default 5)
            small: reward at the end of the loop that any action follows (default 1)
            large: reward at the end of the loop that only action 1 follows (default 2)
            horizon: criterion: the reward of an episode, which is cut after so many steps (in [1,
                1000000000]; default: none)
            gamma: criterion: the discounted sum of rewards, for all agents (in (0, 1); default: 0.95)
            average: criterion: the average reward of a step (one of off, on; default off)

        Reference: Watkins 1989; Dearden, Friedman & Russell 1998; Strens 2000.
        """
    def mountain_car(
        self,
        *,
        positions: int = 40,
        velocities: int = 41,
        points: int = 8,
        step: float = -1,
        goal: float = -1,
        horizon: int | None = None,
        gamma: float | None = None,
        average: bool = False,
    ) -> MDP:
        """An underpowered car that must swing to get up a hill, on a grid of cells.

        Parameters:

            positions: cells of the position; there are positions * velocities + 1 states (in [2, 5000];
                default 40)
            velocities: cells of the velocity; an odd number has one around 0 (in [1, 5000]; default 41)
            points: points across a cell, in position and in velocity (in [1, 16]; default 8)
            step: reward of a step (default -1)
            goal: reward of the step that reaches the goal (default -1)
            horizon: criterion: the reward of an episode, which is cut after so many steps (in [1,
                1000000000]; default: none)
            gamma: criterion: the discounted sum of rewards, for all agents (in (0, 1); default: 0.95)
            average: criterion: the average reward of a step (one of off, on; default off)

        Reference: Moore 1990; Sutton & Barto 2018, example 10.1; Gymnasium, MountainCar-v0.
        """
    def riverswim(
        self,
        *,
        n: int = 6,
        form: str = '2008',
        left: float | None = None,
        right: float = 1,
        horizon: int | None = None,
        gamma: float | None = None,
        average: bool = False,
    ) -> MDP:
        """A swim against the current to a large reward, a small one nearby.

        Parameters:

            n: number of states (in [3, 1000000]; default 6)
            form: Strehl & Littman's or Osband, Russo & Van Roy's probabilities, rewards and start (one of
                2008, 2013; default 2008)
            left: reward of going left at the left end (default: 0.0005, with form=2013 0.005)
            right: reward of going right at the right end (default 1)
            horizon: criterion: the reward of an episode, which is cut after so many steps (in [1,
                1000000000]; default: none)
            gamma: criterion: the discounted sum of rewards, for all agents (in (0, 1); default: 0.95)
            average: criterion: the average reward of a step (one of off, on; default off)

        Reference: Strehl & Littman 2008; form=2013: Osband, Russo & Van Roy 2013.
        """
    def sixarms(
        self,
        *,
        largest: float = 1,
        horizon: int | None = None,
        gamma: float | None = None,
        average: bool = False,
    ) -> MDP:
        """A hub with six arms: the more an arm pays, the harder it is to enter.

        Parameters:

            largest: reward of the last arm, the others in proportion; 6000 as published (above 0; default
                1)
            horizon: criterion: the reward of an episode, which is cut after so many steps (in [1,
                1000000000]; default: none)
            gamma: criterion: the discounted sum of rewards, for all agents (in (0, 1); default: 0.95)
            average: criterion: the average reward of a step (one of off, on; default off)

        Reference: Strehl & Littman 2008, figure 2.
        """
    def taxi(
        self,
        *,
        rainy: bool = False,
        dry: float = 0.8,
        horizon: int | None = None,
        gamma: float | None = None,
        average: bool = False,
    ) -> MDP:
        """Fetch a passenger and bring them to their destination; Gymnasium's Taxi-v4.

        Parameters:

            rainy: whether the taxi may drift to either side (one of off, on; default off)
            dry: with rainy=on, the probability of the intended direction (in [0, 1]; default 0.8)
            horizon: criterion: the reward of an episode, which is cut after so many steps (in [1,
                1000000000]; default: none)
            gamma: criterion: the discounted sum of rewards, for all agents (in (0, 1); default: 0.95)
            average: criterion: the average reward of a step (one of off, on; default off)

        Reference: Dietterich 2000; Gymnasium 1.4, Taxi-v4.
        """
    def threearms(
        self,
        *,
        largest: float = 1,
        horizon: int | None = None,
        gamma: float | None = None,
        average: bool = False,
    ) -> MDP:
        """SixArms with its first three arms only.

        Parameters:

            largest: reward of the last arm, the others in proportion; 300 as published (above 0; default 1)
            horizon: criterion: the reward of an episode, which is cut after so many steps (in [1,
                1000000000]; default: none)
            gamma: criterion: the discounted sum of rewards, for all agents (in (0, 1); default: 0.95)
            average: criterion: the average reward of a step (one of off, on; default off)

        Reference: Metelli, Likmeta & Restelli 2019, after Strehl & Littman 2008.
        """

class Metrics(Catalog):
    def coverage(self, *, what: str = 'states') -> str:
        """Fraction of the states or pairs that can be visited that a run acted in.

        Parameters:

            what: count states, or pairs of a state and an action (one of states, pairs; default states)

        Reference: none: a plain count.
        """
    def earned(self, *, fraction: float = 0.5) -> str:
        """Steps after which the reward so far stays above a fraction of the best average.

        Parameters:

            fraction: of the best average reward (in (0, 1); default 0.5)

        Reference: none: the total reward against the best policy's.
        """
    def episode_mistakes(self, *, eps: float = 0.1) -> str:
        """Finite horizon: episodes whose policy loses more than eps.

        Parameters:

            eps: how much less than the best an episode may be expected to earn (at least 0; default 0.1)

        Reference: Dann, Lattimore & Brunskill, Unifying PAC and Regret: Uniform PAC Bounds for Episodic
            Reinforcement Learning, NeurIPS 2017.
        """
    def episodes(self) -> str:
        """Number of episodes that ended, in a terminal state or at a time limit.

        Reference: none: a plain count.
        """
    def episodic_regret(self, *, per: str = 'run') -> str:
        """Finite horizon: what the policies of the episodes lose against the best.

        Parameters:

            per: the sum over the episodes of a run, or their mean (one of run, episode; default run)

        Reference: Azar, Osband & Munos, Minimax Regret Bounds for Reinforcement Learning, ICML 2017.
        """
    def last_mistake(
        self,
        *,
        eps: float = 0.1,
        relative: bool = False,
        gamma: float | None = None,
        estimator: str = 'frozen',
        every: int = 100,
        rollouts: int = 10,
        horizon_error: float | None = None,
    ) -> str:
        """Number of the last step that is a mistake, counted from 1; 0 if none is.

        Parameters:

            eps: how far below the optimal value a policy may be, in units of value (above 0; default 0.1)
            relative: on: eps is a fraction of the optimal value of the start (one of off, on; default off)
            gamma: discount of rewards (in [0, 1); default: the problem's)
            estimator: the agent's value: of its current policy, exactly; of copies that continue to learn;
                of the run itself (noisy) (one of frozen, rollout, trajectory; default frozen)
            every: rollout: evaluates one step in so many, which counts for all of them (in [1,
                9007199254740992]; default 100)
            rollouts: rollout: copies whose returns are averaged (in [1, 2147483648]; default 10)
            horizon_error: rollout, trajectory: largest return beyond the horizon; sets the horizon (above
                0; default: eps/10)

        Reference: as mistakes.
        """
    def learned(self, *, eps: float = 0.1, relative: bool = False, gamma: float | None = None) -> str:
        """Steps until the policy is within eps of the best at the start and stays so.

        Parameters:

            eps: how far below the optimal value a policy may be, in units of value (above 0; default 0.1)
            relative: on: eps is a fraction of the optimal value of the start (one of off, on; default off)
            gamma: discount of rewards (in [0, 1); default: the problem's)

        Reference: none: the frozen policy of mistakes, judged at the start.
        """
    def length(self) -> str:
        """Mean steps of the episodes that ended, or the run's if none did.

        Reference: none: a plain mean.
        """
    def loss(self, *, gamma: float | None = None, horizon_error: float | None = None) -> str:
        """Mean over the steps of the optimal value less the run's own return.

        Parameters:

            gamma: discount of rewards (in [0, 1); default: the problem's)
            horizon_error: largest return beyond the horizon; that many last steps do not count (above 0;
                default: 0.001 rmax/(1-gamma))

        Reference: Strehl & Littman, An Analysis of Model-Based Interval Estimation, 2008.
        """
    def mistakes(
        self,
        *,
        eps: float = 0.1,
        relative: bool = False,
        gamma: float | None = None,
        estimator: str = 'frozen',
        every: int = 100,
        rollouts: int = 10,
        horizon_error: float | None = None,
    ) -> str:
        """Steps on which the agent's value is below the best by more than eps.

        Parameters:

            eps: how far below the optimal value a policy may be, in units of value (above 0; default 0.1)
            relative: on: eps is a fraction of the optimal value of the start (one of off, on; default off)
            gamma: discount of rewards (in [0, 1); default: the problem's)
            estimator: the agent's value: of its current policy, exactly; of copies that continue to learn;
                of the run itself (noisy) (one of frozen, rollout, trajectory; default frozen)
            every: rollout: evaluates one step in so many, which counts for all of them (in [1,
                9007199254740992]; default 100)
            rollouts: rollout: copies whose returns are averaged (in [1, 2147483648]; default 10)
            horizon_error: rollout, trajectory: largest return beyond the horizon; sets the horizon (above
                0; default: eps/10)

        Reference: Kakade, On the Sample Complexity of Reinforcement Learning, 2003; Strehl & Littman, An
            Analysis of Model-Based Interval Estimation, 2008 (trajectory).
        """
    def promise(self) -> str:
        """Finite horizon: 1 if the agent's bound held after every episode, else 0; a promise only with parameters that carry the guarantee.

        Reference: Dann, Li, Wei & Brunskill, Policy Certificates: Towards Accountable Reinforcement
            Learning, ICML 2019.
        """
    def regret(self, *, against: str = 'value', gamma: float | None = None) -> str:
        """Loss against the optimal values or against the best average reward.

        Parameters:

            against: optimal value less the policy's, summed over the steps; or best average reward times
                steps, less the run's reward (one of value, gain; default value)
            gamma: discount of rewards (in [0, 1); default: the problem's)

        Reference: Jaksch, Ortner & Auer, Near-optimal Regret Bounds for Reinforcement Learning, 2010
            (gain); He, Zhou & Gu, Nearly Minimax Optimal Reinforcement Learning for Discounted MDPs, 2021
            (value).
        """
    def return_(self) -> str:
        """Mean undiscounted reward of the episodes that ended, or the run's if none did.

        Reference: Sutton & Barto, Reinforcement Learning: An Introduction, 2018, ch. 3.3.
        """
    def shortfall(self) -> str:
        """Finite horizon: what the policy at the end loses in an episode.

        Reference: the simple regret of best-policy identification.
        """
    def stopping(self) -> str:
        """Steps until the agent stopped and recommended its policy; all if it did not.

        Reference: the sample complexity of best-policy identification.
        """
    def success(self, *, at_least: float | None = None) -> str:
        """Share of the finished episodes with the best final reward or a given return.

        Parameters:

            at_least: least undiscounted return of a successful episode (default: none: the last reward is
                the highest with which an episode can end)

        Reference: none: at_least is the reward threshold of Gymnasium's registry, applied to each episode.
        """

class Theorems(Catalog):
    def bayes_ucbvi(self, problem: Any, **options: Any) -> Any:
        """Bayes-UCBVI.

        Statement: The bound limits the number of steps after which the regret of an episode, V*_1 - V^pi_1
            at its start, is at most eps on average, with probability at least 1 - delta, for a number of
            episodes that is large enough.

        Assumptions: A finite model whose transitions may depend on the step; episodes of H steps from one
            start; rewards in a known range. Rewards are known, and quantiles exact at a level that rises
            with the visits; the agent samples them at a level of its own.

        Order: O~(H^4 S A/eps^2)

        Reference: Tiapkin, Belomestny, Moulines, Naumov, Samsonov, Tang, Valko & Menard, From Dirichlet to
            Rubin: Optimistic Exploration in RL without Bonuses, ICML 2022 (arXiv 2205.07704).
        """
    def beb(self, problem: Any, **options: Any) -> Any:
        """Bayesian exploration bonus.

        Statement: With probability at least 1 - delta, eps-close to the Bayes-optimal policy (for H steps)
            on all but this number of steps. Not PAC-MDP: its bonus falls as 1/n, and no bonus falling
            faster than 1/sqrt(n) can be.

        Assumptions: Known rewards, a Dirichlet prior, a finite horizon H without discount; the agent
            discounts instead, with 1/(1-gamma) for H.

        Order: O(SA H^6/eps^2 ln(SA/delta))

        Reference: Kolter & Ng, Near-Bayesian Exploration in Polynomial Time, ICML 2009.
        """
    def bpi_ucbvi(self, problem: Any, **options: Any) -> Any:
        """BPI-UCBVI, best policy identification.

        Statement: With probability at least 1 - delta, the method stops after at most this many steps, and
            the policy that it then recommends earns at most eps less than the best in an episode.

        Assumptions: A finite model whose transitions may depend on the step; episodes of H steps from one
            start; rewards in a known range. The agent estimates rewards, which the paper knows; its
            certificate pays for that.

        Order: O~(H^4 S A/eps^2 ln(1/delta))

        Reference: Menard, Domingues, Jonsson, Kaufmann, Leurent & Valko, Fast active learning for pure
            exploration in reinforcement learning, arXiv 2007.13442, 2020.
        """
    def delayed_q(self, problem: Any, **options: Any) -> Any:
        """Delayed Q-learning (2009).

        Statement: With probability at least 1 - delta, the bound limits the number of steps, in an infinite
            run, on which the learner's expected return is below V* - eps.

        Assumptions: A finite model; rewards in a known range; nothing is known of the transitions.

        Order: O~(SA/(eps^4(1-gamma)^8))

        Reference: Strehl, Li & Littman, Reinforcement Learning in Finite MDPs: PAC Analysis, JMLR 10, 2009,
            Theorem 10 and the section on Delayed Q-learning.
        """
    def delayed_q_ie(self, problem: Any, **options: Any) -> Any:
        """Delayed Q-learning with interval estimation.

        Statement: With probability at least 1 - delta, the bound limits the number of steps, in an infinite
            run, on which the learner's expected return is below V* - eps.

        Assumptions: A finite model; rewards in a known range; nothing is known of the transitions.

        Order: O~(SA/(eps^4(1-gamma)^8))

        Reference: Strehl, Probably Approximately Correct (PAC) Exploration in Reinforcement Learning, PhD
            thesis, 2007.
        """
    def directed_delayed_q(self, problem: Any, **options: Any) -> Any:
        """Directed Delayed Q-learning, repaired.

        Statement: With probability at least 1 - delta, the bound limits the number of steps, in an infinite
            run, on which the learner's expected return is below V* - eps.

        Assumptions: A finite model; rewards in a known range; nothing is known of the transitions. The
            agent is the one shown, with learn=2009 and clamp=on.

        Order: O~(SA/(eps^4(1-gamma)^8))

        Reference: Oh & Iyengar, Directed Exploration in PAC Model-Free Reinforcement Learning, 2018 (arXiv
            1808.10552), Theorem 1.
        """
    def directed_delayed_q_full(self, problem: Any, **options: Any) -> Any:
        """Directed Delayed Q-learning, fully delayed.

        Statement: With probability at least 1 - delta, the bound limits the number of steps, in an infinite
            run, on which the learner's expected return is below V* - eps.

        Assumptions: A finite model; rewards in a known range; nothing is known of the transitions. The
            agent is the one shown, with learn=2009 and clamp=on. An update is attempted only when a window
            is full, with the width eps1 (delay=full).

        Order: O~(SA/(eps^4(1-gamma)^8))

        Reference: Oh & Iyengar, Directed Exploration in PAC Model-Free Reinforcement Learning, 2018 (arXiv
            1808.10552), Section 3 ("the same PAC bound").
        """
    def directed_delayed_q_printed(self, problem: Any, **options: Any) -> Any:
        """Directed Delayed Q-learning, as printed.

        Statement: Claimed: V >= V* - eps on all but this number of steps, with probability 1 - delta. The
            printed proof does not establish it.

        Assumptions: A finite model; rewards in a known range.

        Order: O~(SA/(eps^4(1-gamma)^8))

        Reference: Oh & Iyengar, Directed Exploration in PAC Model-Free Reinforcement Learning, 2018 (arXiv
            1808.10552), Theorem 1 and appendix.
        """
    def e3(self, problem: Any, **options: Any) -> Any:
        """Explicit Explore or Exploit.

        Statement: With probability at least 1 - delta the algorithm finds, in polynomially many steps, a
            policy that is eps-optimal from its current state.

        Assumptions: A finite model; rewards in a known range. The original halts and returns its policy;
            here it continues, as in the later literature.

        Order: polynomial

        Reference: Kearns & Singh, Near-Optimal Reinforcement Learning in Polynomial Time, Machine Learning
            49, 2002.
        """
    def kl_ucrl(self, problem: Any, **options: Any) -> Any:
        """KL-UCRL.

        Statement: With probability at least 1 - delta, the bound limits the regret of T steps against the
            best average reward; the order is of the T after which it is eps (1-gamma) per step. There is no
            discount.

        Assumptions: A finite, communicating model of diameter D, with B successors of a pair at most;
            rewards in a known range.

        Order: O~(D^2 S^2 A/(eps(1-gamma))^2)

        Reference: Filippi, Cappe & Garivier, Optimism in Reinforcement Learning and Kullback-Leibler
            Divergence, Allerton 2010 (arXiv 1004.5229).
        """
    def lower_bound(self, problem: Any, **options: Any) -> Any:
        """Lower bound for every method.

        Statement: For every method there is a model on which, with probability above delta, it makes more
            mistakes than this.

        Assumptions: Holds for all methods, randomised and history-dependent ones included.

        Order: Omega(SA/(eps^2(1-gamma)^3) ln(1/delta))

        Reference: Lattimore & Hutter, Near-optimal PAC bounds for discounted MDPs, TCS 558, 2014 (PAC
            Bounds for Discounted MDPs, arXiv 1202.3890).
        """
    def lower_bound_average(self, problem: Any, **options: Any) -> Any:
        """Lower bound, average reward.

        Statement: For every method there is a model of diameter D on which its expected regret of T steps
            is at least of the order sqrt(D S A T); the order is of the T before which it is above eps
            (1-gamma) per step.

        Assumptions: S, A and D not too small, T at least D S A.

        Order: Omega(D S A/(eps(1-gamma))^2)

        Reference: Jaksch, Ortner & Auer, Near-optimal Regret Bounds for Reinforcement Learning, JMLR 11,
            2010, Theorem 5.
        """
    def lower_bound_discounted(self, problem: Any, **options: Any) -> Any:
        """Lower bound, discounted regret.

        Statement: For every method there is a model on which V* less the value of the policy, added up over
            T steps, is Omega~(sqrt(S A T) / (1-gamma)^1.5) in expectation; the order is of the T before
            which that is above eps per step.

        Assumptions: T large.

        Order: Omega~(SA/(eps^2(1-gamma)^3))

        Reference: He, Zhou & Gu, Nearly Minimax Optimal Reinforcement Learning for Discounted MDPs, NeurIPS
            2021 (arXiv 2010.00587).
        """
    def lower_bound_episodes(self, problem: Any, **options: Any) -> Any:
        """Lower bound on mistakes by episodes.

        Statement: For every method there is a model on which, with probability above delta, the steps of
            the episodes whose policy loses more than eps are more than this.

        Assumptions: The same transitions at every step (Dann & Brunskill); a factor of H more where they
            may depend on the step (Domingues et al., for identifying an eps-optimal policy). Holds for all
            methods.

        Order: Omega(H^3 SA/eps^2 ln(1/delta))

        Reference: Dann & Brunskill, Sample complexity of episodic fixed-horizon reinforcement learning,
            NeurIPS 2015 (arXiv 1510.08906); Domingues, Menard, Kaufmann & Valko, ALT 2021 (arXiv
            2010.03531).
        """
    def lower_bound_regret(self, problem: Any, **options: Any) -> Any:
        """Lower bound on regret.

        Statement: For every method there is a model on which the expected regret of K episodes is at least
            of the order sqrt(H^3 S A K): the mean regret of an episode is eps at most only after this many
            steps.

        Assumptions: Transitions may depend on the step; with the same transitions at every step a factor of
            H is missing. Holds for all methods.

        Order: Omega(H^4 SA/eps^2)

        Reference: Domingues, Menard, Kaufmann & Valko, Episodic reinforcement learning in finite MDPs:
            Minimax lower bounds revisited, ALT 2021 (arXiv 2010.03531); Jin, Allen-Zhu, Bubeck & Jordan
            2018, Theorem 3.
        """
    def mbie(self, problem: Any, **options: Any) -> Any:
        """Model-based interval estimation.

        Statement: With probability at least 1 - delta, the bound limits the number of steps, in an infinite
            run, on which the learner's expected return is below V* - eps.

        Assumptions: A finite model; rewards in a known range. Plans are within tol = eps (1-gamma)/16 of
            their fixed point, as in the preset, which costs 2 tol/(1-gamma) = eps/8. The agent plans after
            every step.

        Order: O~(S^2 A/(eps^3(1-gamma)^6))

        Reference: Strehl & Littman, An analysis of model-based Interval Estimation for Markov Decision
            Processes, JCSS 74, 2008.
        """
    def mbie_eb(self, problem: Any, **options: Any) -> Any:
        """MBIE with an exploration bonus.

        Statement: With probability at least 1 - delta, the bound limits the number of steps, in an infinite
            run, on which the learner's expected return is below V* - eps.

        Assumptions: A finite model; rewards in a known range. Plans are within tol = eps (1-gamma)/16 of
            their fixed point, as in the preset, which costs 2 tol/(1-gamma) = eps/8. The agent plans after
            every step, and values are cut at V_max.

        Order: O~(S^2 A/(eps^3(1-gamma)^6))

        Reference: Strehl & Littman, An analysis of model-based Interval Estimation for Markov Decision
            Processes, JCSS 74, 2008.
        """
    def mormax(self, problem: Any, **options: Any) -> Any:
        """Modified R-max.

        Statement: With probability at least 1 - delta, the bound limits the number of steps, in an infinite
            run, on which the learner's expected return is below V* - eps.

        Assumptions: A finite model; rewards in a known range. Plans are exact.

        Order: O~(SA/(eps^2(1-gamma)^6))

        Reference: Szita & Szepesvari, Model-based reinforcement learning with nearly tight exploration
            complexity bounds, ICML 2010.
        """
    def mvp(self, problem: Any, **options: Any) -> Any:
        """MVP, monotonic value propagation.

        Statement: With probability at least 1 - delta, the bound limits the number of steps after which the
            regret of an episode, V*_1 - V^pi_1 at its start, is at most eps on average.

        Assumptions: A finite model whose transitions may depend on the step; episodes of H steps; rewards
            in a known range. For every eps: there is no number of episodes before which it does not hold.

        Order: O~(H^4 S A/eps^2)

        Reference: Zhang, Chen, Lee & Du, Settling the Sample Complexity of Online Reinforcement Learning,
            COLT 2024 (arXiv 2307.13586), Theorem 1.
        """
    def oim(self, problem: Any, **options: Any) -> Any:
        """Optimistic initial model.

        Statement: With probability at least 1 - delta the greedy policy is eps-optimal on all but
            polynomially many steps, if v_e is large enough.

        Assumptions: A finite model; rewards in a known range; v_e of the order V_max^2 / (eps (1-gamma))
            times logarithms, so that it outweighs every deviation until a pair is known.

        Order: polynomial, S^2 A

        Reference: Szita & Lorincz, The many faces of optimism: a unifying approach, ICML 2008.
        """
    def orlc(self, problem: Any, **options: Any) -> Any:
        """ORLC, policy certificates.

        Statement: With probability at least 1 - delta, the certificate of every episode bounds what its
            policy loses, and for all eps at once the bound limits the number of steps in episodes whose
            certificate is above eps.

        Assumptions: A finite model whose transitions do not depend on the step; episodes of H steps;
            rewards in a known range; one start, known before the episode.

        Order: O~(H^3 S A/eps^2 + H^4 S^2 A/eps)

        Reference: Dann, Li, Wei & Brunskill, Policy Certificates: Towards Accountable Reinforcement
            Learning, ICML 2019 (arXiv 1811.03056).
        """
    def psrl_episodic(self, problem: Any, **options: Any) -> Any:
        """PSRL, finite horizon.

        Statement: The bound limits the number of steps after which the regret of an episode, V*_1 - V^pi_1
            at its start, is at most eps on average, in expectation over models drawn from the prior and
            over runs.

        Assumptions: A model drawn from the prior with which the method begins, the same at every step;
            episodes of H steps; rewards in a known range.

        Order: O~(H^4 S^2 A/eps^2)

        Reference: Osband, Russo & Van Roy, (More) Efficient Reinforcement Learning via Posterior Sampling,
            NeurIPS 2013, Theorem 1.
        """
    def q_advantage(self, problem: Any, **options: Any) -> Any:
        """Q-learning by reference and advantage.

        Statement: With probability at least 1 - delta, the bound limits the number of steps after which the
            regret of an episode, V*_1 - V^pi_1 at its start, is at most eps on average.

        Assumptions: A finite model whose transitions may depend on the step; episodes of H steps; rewards
            in a known range. For numbers of steps above S A poly(H).

        Order: O~(H^4 SA/eps^2)

        Reference: Li, Shi, Chen, Gu & Chi, Breaking the sample complexity barrier to regret-optimal model-
            free reinforcement learning, NeurIPS 2021 (arXiv 2110.04645).
        """
    def r_max(self, problem: Any, **options: Any) -> Any:
        """R-max, discounted.

        Statement: With probability at least 1 - delta, the bound limits the number of steps, in an infinite
            run, on which the learner's expected return is below V* - eps.

        Assumptions: A finite model; rewards in a known range. Plans are within tol = eps (1-gamma)/16 of
            their fixed point, as in the preset, which costs 2 tol/(1-gamma) = eps/8. The agent is shown
            with half of delta, for its model; the count needs the other half. plan=full.

        Order: O~(S^2 A/(eps^3(1-gamma)^6))

        Reference: Brafman & Tennenholtz, R-max, JMLR 3, 2002; discounted as in Kakade 2003 and Strehl, Li &
            Littman, JMLR 10, 2009.
        """
    def rand_ql(self, problem: Any, **options: Any) -> Any:
        """Staged randomised Q-learning.

        Statement: With probability at least 1 - delta, the bound limits the number of steps after which the
            regret of an episode, V*_1 - V^pi_1 at its start, is at most eps on average.

        Assumptions: A finite model whose transitions may depend on the step; episodes of H steps; rewards
            in a known range. Of the staged form, with a prior, kappa and ensemble that grow with the
            logarithm of the number of episodes.

        Order: O~(H^6 SA/eps^2)

        Reference: Tiapkin, Belomestny, Calandriello, Moulines, Munos, Naumov, Perrault, Valko & Menard,
            Model-free posterior sampling via learning rate randomization, NeurIPS 2023 (arXiv 2310.18186).
        """
    def rf_express(self, problem: Any, **options: Any) -> Any:
        """RF-Express, reward-free exploration.

        Statement: With probability at least 1 - delta, the method stops after at most this many steps, and
            for every reward function the plan with its estimated transitions earns at most eps less than
            the best in an episode.

        Assumptions: A finite model whose transitions may depend on the step; episodes of H steps from one
            start; rewards in a known range. Rewards are known when it plans; the agent estimates them,
            which is not part of the promise.

        Order: O~(H^4 S A/eps^2 (ln(1/delta) + S))

        Reference: Menard, Domingues, Jonsson, Kaufmann, Leurent & Valko, Fast active learning for pure
            exploration in reinforcement learning, arXiv 2007.13442, 2020.
        """
    def rf_ucrl(self, problem: Any, **options: Any) -> Any:
        """RF-UCRL, reward-free exploration.

        Statement: With probability at least 1 - delta, the method stops after at most this many steps, and
            for every reward function the plan with its estimated transitions earns at most eps less than
            the best in an episode.

        Assumptions: A finite model whose transitions may depend on the step; episodes of H steps from one
            start; rewards in a known range. Rewards are known when it plans; the agent estimates them,
            which costs nothing where they depend on s, a and the next state alone.

        Order: O~(H^5 S A/eps^2 (ln(1/delta) + S))

        Reference: Kaufmann, Menard, Domingues, Jonsson, Leurent & Valko, Adaptive reward-free exploration,
            ALT 2021 (arXiv 2006.06294).
        """
    def rlsvi_episodic(self, problem: Any, **options: Any) -> Any:
        """RLSVI, finite horizon.

        Statement: The bound limits the number of steps after which the regret of an episode, V*_1 - V^pi_1
            at its start, is at most eps on average, in expectation over models drawn from a prior and over
            runs.

        Assumptions: Transitions with a Dirichlet prior, rewards with a normal one, for each step;
            parameters that are not the agent's defaults.

        Order: O~(H^5 S A/eps^2)

        Reference: Osband, Van Roy & Wen, Generalization and Exploration via Randomized Value Functions,
            ICML 2016, Theorem 1.
        """
    def ubev(self, problem: Any, **options: Any) -> Any:
        """UBEV, uniform PAC.

        Statement: With probability at least 1 - delta, for all eps at once, the bound limits the number of
            steps in episodes whose policy loses more than eps.

        Assumptions: A finite model whose transitions may depend on the step; episodes of H steps; rewards
            in a known range.

        Order: O~(H^5 S A/eps^2 min(1 + eps S^2 A, S))

        Reference: Dann, Lattimore & Brunskill, Unifying PAC and Regret: Uniform PAC Bounds for Episodic
            Reinforcement Learning, NIPS 2017 (arXiv 1703.07710), Theorem 4.
        """
    def ucb_b(self, problem: Any, **options: Any) -> Any:
        """Q-learning with Bernstein bonuses.

        Statement: With probability at least 1 - delta, the bound limits the number of steps after which the
            regret of an episode, V*_1 - V^pi_1 at its start, is at most eps on average.

        Assumptions: A finite model whose transitions may depend on the step; episodes of H steps; rewards
            in a known range.

        Order: O~(H^5 SA/eps^2 + (H^11 S^3 A^3)^.5/eps)

        Reference: Jin, Allen-Zhu, Bubeck & Jordan, Is Q-learning provably efficient?, NeurIPS 2018 (arXiv
            1807.03765), Theorem 2.
        """
    def ucb_h(self, problem: Any, **options: Any) -> Any:
        """Q-learning with Hoeffding bonuses.

        Statement: With probability at least 1 - delta, the bound limits the number of steps after which the
            regret of an episode, V*_1 - V^pi_1 at its start, is at most eps on average.

        Assumptions: A finite model whose transitions may depend on the step; episodes of H steps; rewards
            in a known range.

        Order: O~(H^6 SA/eps^2)

        Reference: Jin, Allen-Zhu, Bubeck & Jordan, Is Q-learning provably efficient?, NeurIPS 2018 (arXiv
            1807.03765), Theorem 1.
        """
    def ucb_q(self, problem: Any, **options: Any) -> Any:
        """UCB Q-learning for an infinite horizon.

        Statement: With probability at least 1 - delta, the bound limits the number of steps, in an infinite
            run, on which the learner's expected return is below V* - eps.

        Assumptions: A finite model; rewards in a known range; 1/2 < gamma < 1.

        Order: O~(SA/(eps^2(1-gamma)^7))

        Reference: Dong, Wang, Chen & Wang, Q-learning with UCB exploration is sample efficient for
            infinite-horizon MDP, ICLR 2020 (arXiv 1901.09311), Theorem 1.
        """
    def ucbmq(self, problem: Any, **options: Any) -> Any:
        """UCB momentum Q-learning.

        Statement: With probability at least 1 - delta, the bound limits the number of steps after which the
            regret of an episode, V*_1 - V^pi_1 at its start, is at most eps on average.

        Assumptions: A finite model whose transitions may depend on the step; episodes of H steps; rewards
            in a known range. The bonus of the proof; the agent has that of the authors' experiments.

        Order: O~(H^4 SA/eps^2 + H^5 SA/eps)

        Reference: Menard, Domingues, Shang & Valko, UCB Momentum Q-learning: Correcting the bias without
            forgetting, ICML 2021 (arXiv 2103.01312).
        """
    def ucbvi(self, problem: Any, **options: Any) -> Any:
        """UCBVI with Bernstein-Freedman bonuses.

        Statement: With probability at least 1 - delta, the bound limits the number of steps after which the
            regret of an episode, V*_1 - V^pi_1 at its start, is at most eps on average.

        Assumptions: A finite model whose transitions do not depend on the step; episodes of H steps; mean
            rewards in a known range, and known. The agent estimates them, which the bound does not count:
            its terms for that are of lower order in H.

        Order: O~(H^3 S A/eps^2 + H^3 S^2 A/eps)

        Reference: Azar, Osband & Munos, Minimax Regret Bounds for Reinforcement Learning, ICML 2017 (arXiv
            1703.05449), Theorem 2.
        """
    def ucbvi_2025(self, problem: Any, **options: Any) -> Any:
        """UCBVI with the constants of 2025.

        Statement: With probability at least 1 - delta, the bound limits the number of steps after which the
            regret of an episode, V*_1 - V^pi_1 at its start, is at most eps on average.

        Assumptions: A finite model whose transitions do not depend on the step; episodes of H steps; mean
            rewards in a known range, and known. The agent estimates them, which the bound does not count:
            its terms for that are of lower order in H.

        Order: O~(H^3 S A/eps^2 + H^3 S^2 A/eps)

        Reference: Drago, Mussi & Metelli, A Refined Analysis of UCBVI, arXiv 2502.17370, 2025.
        """
    def ucbvi_ch(self, problem: Any, **options: Any) -> Any:
        """UCBVI with Chernoff-Hoeffding bonuses.

        Statement: With probability at least 1 - delta, the bound limits the number of steps after which the
            regret of an episode, V*_1 - V^pi_1 at its start, is at most eps on average.

        Assumptions: A finite model whose transitions do not depend on the step; episodes of H steps; mean
            rewards in a known range, and known. The agent estimates them, which the bound does not count:
            its terms for that are of lower order in H.

        Order: O~(H^4 S A/eps^2 + H^3 S^2 A/eps)

        Reference: Azar, Osband & Munos, Minimax Regret Bounds for Reinforcement Learning, ICML 2017 (arXiv
            1703.05449), Theorem 1.
        """
    def ucbvi_gamma(self, problem: Any, **options: Any) -> Any:
        """UCBVI-gamma.

        Statement: With probability at least 1 - delta, V* less the value of the policy, added up over T
            steps, is O~(sqrt(S A T) / (1-gamma)^1.5); the order is of the T after which that is eps per
            step.

        Assumptions: A finite model; known, deterministic rewards in [0, 1]; T large.

        Order: O~(SA/(eps^2(1-gamma)^3))

        Reference: He, Zhou & Gu, Nearly Minimax Optimal Reinforcement Learning for Discounted MDPs, NeurIPS
            2021 (arXiv 2010.00587).
        """
    def ucrl2(self, problem: Any, **options: Any) -> Any:
        """UCRL2.

        Statement: With probability at least 1 - delta the regret of T steps is at most 34 D S sqrt(A T
            ln(T/delta)) times the range; the bound is the T after which that is eps (1-gamma) per step. It
            concerns average reward, without a discount.

        Assumptions: A finite, communicating model of diameter D; rewards in a known range; T > 1.

        Order: O~(D^2 S^2 A/(eps(1-gamma))^2)

        Reference: Jaksch, Ortner & Auer, Near-optimal Regret Bounds for Reinforcement Learning, JMLR 11,
            2010, Theorem 2.
        """
    def ucrl2b(self, problem: Any, **options: Any) -> Any:
        """UCRL2B.

        Statement: With probability at least 1 - delta, the bound limits the regret of T steps against the
            best average reward; the order is of the T after which it is eps (1-gamma) per step. There is no
            discount.

        Assumptions: A finite, communicating model of diameter D, with B successors of a pair at most;
            rewards in a known range.

        Order: O~(D B S A/(eps(1-gamma))^2)

        Reference: Fruit, Pirotta & Lazaric, Improved Analysis of UCRL2 with Empirical Bernstein Inequality,
            2020 (arXiv 2007.05456).
        """
    def ucrl3(self, problem: Any, **options: Any) -> Any:
        """UCRL3.

        Statement: With probability at least 1 - delta, the bound limits the regret of T steps against the
            best average reward; the order is of the T after which it is eps (1-gamma) per step. There is no
            discount.

        Assumptions: A finite, communicating model of diameter D, with B successors of a pair at most;
            rewards in a known range.

        Order: O~(D^2 B S A/(eps(1-gamma))^2)

        Reference: Bourel, Maillard & Talebi, Tightening Exploration in Upper Confidence Reinforcement
            Learning, ICML 2020.
        """
    def ucrl_gamma(self, problem: Any, **options: Any) -> Any:
        """UCRL-gamma.

        Statement: With probability at least 1 - delta, the bound limits the number of steps, in an infinite
            run, on which the learner's expected return is below V* - eps.

        Assumptions: At most two successors of every pair; known, deterministic rewards. The agent is a
            practical variant that estimates rewards and uses all data.

        Order: O~(SA/(eps^2(1-gamma)^3))

        Reference: Lattimore & Hutter, Near-optimal PAC bounds for discounted MDPs, TCS 558, 2014 (PAC
            Bounds for Discounted MDPs, arXiv 1202.3890).
        """
    def v_max(self, problem: Any, **options: Any) -> Any:
        """V-max.

        Statement: With probability at least 1 - delta, the bound limits the number of steps, in an infinite
            run, on which the learner's expected return is below V* - eps.

        Assumptions: A finite model; rewards in a known range. Plans are within tol = eps (1-gamma)/16 of
            their fixed point, as in the preset, which costs 2 tol/(1-gamma) = eps/8. The agent is shown
            with half of delta, for its model; the count needs the other half.

        Order: O~(S^2 A/(eps^3(1-gamma)^6))

        Reference: Rao & Whiteson, V-MAX: Tempered Optimism for Better PAC Reinforcement Learning, AAMAS
            2012.
        """
