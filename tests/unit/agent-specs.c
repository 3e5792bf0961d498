/* What a spec of an agent comes to: the parameters that follow from the rest of the spec and from the
 * problem, the words of its state, and the keys that do not go together. The numbers are
 * what the library gives: a change of one is seen here. That the formulas are right, docs/agents.md, the oracle and, for
 * preset=theory, tests/theory say. */
#include <farsight/farsight.h>

#include "agents/agent.h"
#include "agents/facts.h"
#include "check.h"

/* The problem: rewards in [-1, 1], so that the range is 2 and neither bound is 0. */
enum { S = 5, A = 3, H = 4 };

/* Words: entries of tables by pair, timed pair, timed state, and value (the end has one, too). */
enum { P = S * A, T = P * H, U = S * H, V = (S + 1) * (H + 1) };
enum {
  LEARNER = 1 + 5 * P + P + S + 1, /* a clock; five words of the model and Q a pair; V */
  AVERAGE = LEARNER + 2 + P,       /* an episode, and the visits in it */
  SHARED = 3 + 7 * P + U + T + V,  /* episodic: the model of a pair and two words, a choice, Q, V */
  APART = 3 + 7 * T + U + T + V    /* ... of a timed pair */
};

static far_shape shape_of(const char *spec) {
  const far_type_info *type = far_spec_type(far_agent_type, spec);
  return SHAPE(S, A, -1, 1, true, NULL, type != NULL && type->finite_horizon ? H : 0);
}

/* ---- parameters and words ---- */

typedef struct meaning {
  const char *spec;
  size_t words;
  const char *params;
} meaning;

static const meaning MEANINGS[] = {
    {"directed-delayed-q", 4 + 7 * P,
     "gamma=0.95,eps1=2.000000000000002e-05,m=6667,lambda=0.02145960661363519,eta=0.99999,"
     "e0=0.99999,gamma_e=0.99,rho=0.0016330339861742023,delay=interval,learn=2009,clamp=on,"
     "ties=random"},
    {"directed-delayed-q:preset=theory", 4 + 7 * P,
     "gamma=0.95,eps1=0.0125,m=187553014,lambda=0.020167359603687884,eta=0.99375,e0=0.99375,"
     "gamma_e=0.99,rho=171.18749497991962,delay=interval,learn=2009,clamp=on,ties=random"},
    {"directed-delayed-q:preset=paper", 4 + 7 * P,
     "gamma=0.95,eps1=0.05,m=3782296,lambda=0.6035373966433994,eta=0.975,e0=0.975,"
     "gamma_e=0.99,rho=97.24062936859264,delay=interval,learn=2009,clamp=on,ties=random"},
    {"directed-delayed-q:preset=theory,delay=full", 4 + 7 * P,
     "gamma=0.95,eps1=0.0125,m=90019205,lambda=0.020167359603687884,eta=0.99375,e0=0.99375,"
     "gamma_e=0.99,rho=118.5980639860955,delay=full,learn=2009,clamp=on,ties=random"},
    {"directed-delayed-q:delay=full", 4 + 7 * P,
     "gamma=0.95,eps1=2.000000000000002e-05,m=2,lambda=0.02145960661363519,eta=0.99999,"
     "e0=0.99999,gamma_e=0.99,rho=2.828427124746193e-05,delay=full,learn=2009,clamp=on,"
     "ties=random"},
    {"directed-delayed-q:preset=scaled,steps=1000000", 4 + 7 * P,
     "gamma=0.95,eps1=2.000000000000002e-05,m=666667,lambda=0.02145960661363519,eta=0.99999,"
     "e0=0.99999,gamma_e=0.99,rho=0.01632993570103693,delay=interval,learn=2009,clamp=on,"
     "ties=random"},
    {"directed-delayed-q:preset=practical", 4 + 7 * P,
     "gamma=0.95,eps1=0.4,m=5,lambda=1.0742489423973034,eta=0.8,e0=0.8,gamma_e=0.99,"
     "rho=2.683281572999748,delay=interval,learn=2009,clamp=on,ties=random"},
    {"directed-delayed-q:e_rule=visit", 4 + 7 * P,
     "gamma=0.95,eps1=2.000000000000002e-05,m=6667,lambda=0.02145960661363519,eta=0.99999,"
     "e0=0.99999,gamma_e=0.99,e_rule=visit,alpha_e=0.01,rho=0.0016330339861742023,"
     "delay=interval,learn=2009,clamp=on,ties=random"},
    {"directed-delayed-q:bonus=sqrt", 4 + 7 * P,
     "gamma=0.95,eps1=2.000000000000002e-05,m=6667,lambda=0.02145960661363519,bonus=sqrt,"
     "e0=0.99999,gamma_e=0.99,rho=0.0016330339861742023,delay=interval,learn=2009,clamp=on,"
     "ties=random"},
    {"delayed-q", 4 + 4 * P, "gamma=0.95,eps1=2.000000000000002e-05,m=2,form=2009,ties=random"},
    {"delayed-q:form=2006", 4 + 4 * P,
     "gamma=0.95,eps1=2.000000000000002e-05,m=2,form=2006,ties=random"},
    {"delayed-q:preset=theory", 4 + 4 * P,
     "gamma=0.95,eps1=0.016666666666666666,m=47809583,form=2009,ties=random"},
    {"delayed-q:preset=practical,eps1=0.1", 4 + 4 * P,
     "gamma=0.95,eps1=0.1,m=5,form=2009,ties=random"},
    {"delayed-q:preset=practical", 4 + 4 * P, "gamma=0.95,eps1=0.4,m=5,form=2009,ties=random"},
    {"delayed-q-ie", 4 + 4 * P,
     "gamma=0.95,eps1=2.000000000000002e-05,m=6667,rho=0.0016330339861742023,learn=2009,"
     "ties=random"},
    {"delayed-q-ie:preset=theory", 4 + 4 * P,
     "gamma=0.95,eps1=0.016666666666666666,m=100886564,rho=167.40383972763453,learn=2009,"
     "ties=random"},
    {"delayed-q-ie:preset=practical,eps1=0.1", 4 + 4 * P,
     "gamma=0.95,eps1=0.1,m=5,rho=0.670820393249937,learn=2009,ties=random"},
    {"q-learning", S + 2 * P,
     "gamma=0.95,q0=0,step=constant,alpha=0.45,explore=epsilon,decay=none,epsilon=0.1,ties=random"},
    {"q-learning:explore=softmax", S + 2 * P,
     "gamma=0.95,q0=0,step=constant,alpha=0.45,explore=softmax,temperature=0.2"},
    {"q-learning:step=polynomial", S + 2 * P,
     "gamma=0.95,q0=0,step=polynomial,omega=0.8,offset=0,explore=epsilon,decay=none,epsilon=0.1,"
     "ties=random"},
    {"q-learning:epsilon=0,q0=0", S + 2 * P,
     "gamma=0.95,q0=0,step=constant,alpha=0.45,explore=epsilon,decay=none,epsilon=0,ties=random"},
    {"q-learning:decay=linear", S + 2 * P,
     "gamma=0.95,q0=0,step=constant,alpha=0.45,explore=epsilon,decay=linear,epsilon=0.1,epsilon_"
     "end=0,decay_steps=10000,ties=random"},
    {"q-learning:decay=state", S + 2 * P,
     "gamma=0.95,q0=0,step=constant,alpha=0.45,explore=epsilon,decay=state,c=1,ties=random"},
    {"q-learning:temperature=1", S + 2 * P,
     "gamma=0.95,q0=0,step=constant,alpha=0.45,explore=softmax,temperature=1"},
    {"count-q", 2 * P,
     "gamma=0.95,place=target,beta=0.11,decay=sqrt,step=horizon,q0=19.999999999999982,ties=random"},
    {"count-q:place=choice", 2 * P,
     "gamma=0.95,place=choice,beta=2,decay=sqrt,step=horizon,q0=0,ties=random"},
    {"count-q:step=constant", 2 * P,
     "gamma=0.95,place=target,beta=0.11,decay=sqrt,step=constant,alpha=0.1,q0=19.999999999999982,"
     "ties=random"},
    {"count-q:beta=0,q0=0", 2 * P,
     "gamma=0.95,place=target,beta=0,decay=sqrt,step=horizon,q0=0,ties=random"},
    {"count-q:beta=0,q0=9", 2 * P,
     "gamma=0.95,place=target,beta=0,decay=sqrt,step=horizon,q0=9,ties=random"},
    {"dora", 2 + 2 * P,
     "gamma=0.95,rule=lll-softmax,alpha=0.039,alpha_e=0.19,gamma_e=0.9,beta=0,decay=sqrt,"
     "temperature=0.052,q0=0,ties=random"},
    {"dora:rule=softmax", 2 + 2 * P,
     "gamma=0.95,rule=softmax,alpha=0.039,alpha_e=0.19,gamma_e=0.9,beta=0.6,decay=sqrt,place="
     "choice,temperature=0.052,q0=0,ties=random"},
    {"dora:rule=epsilon", 2 + 2 * P,
     "gamma=0.95,rule=epsilon,alpha=0.039,alpha_e=0.19,gamma_e=0.9,beta=0.6,decay=sqrt,place="
     "choice,epsilon=0.1,q0=0,ties=random"},
    {"dora:rule=lll-epsilon,epsilon=0", 2 + 2 * P,
     "gamma=0.95,rule=lll-epsilon,alpha=0.039,alpha_e=0.19,gamma_e=0.9,beta=0,decay=sqrt,epsilon=0,"
     "q0=0,ties=random"},
    {"dora:rule=softmax,beta=0", 2 + 2 * P,
     "gamma=0.95,rule=softmax,alpha=0.039,alpha_e=0.19,gamma_e=0.9,beta=0,decay=sqrt,place=choice,"
     "temperature=0.052,q0=0"},
    {"dora:rule=lll-epsilon", 2 + 2 * P,
     "gamma=0.95,rule=lll-epsilon,alpha=0.039,alpha_e=0.19,gamma_e=0.9,beta=0,decay=sqrt,epsilon=0."
     "1,q0=0,ties=random"},
    {"dora:rule=lll-softmax,beta=0.5", 2 + 2 * P,
     "gamma=0.95,rule=lll-softmax,alpha=0.039,alpha_e=0.19,gamma_e=0.9,beta=0.5,decay=sqrt,"
     "temperature=0.052,q0=0,ties=random"},
    {"ucb-q", 3 * P, "gamma=0.95,c=0.0037,h=19.999999999999982,log=off,ties=random"},
    {"ucb-q:preset=theory", 3 * P,
     "delta=0.1,gamma=0.95,c=113.13708498984751,h=276.434378559474,log=on,ties=random"},
    {"ucb-q:gamma=0.5", 3 * P, "gamma=0.5,c=0.0037,h=2,log=off,ties=random"},
    {"ucb-q:gamma=0.4,log=on", 3 * P,
     "delta=0.1,gamma=0.4,c=0.0037,h=1.6666666666666667,log=on,ties=random"},
    {"ucb-q:c=41,h=7", 3 * P, "gamma=0.95,c=41,h=7,log=off,ties=random"},
    {"ucb-q:c=41,h=90,log=on", 3 * P, "delta=0.1,gamma=0.95,c=41,h=90,log=on,ties=random"},
    {"ucb-q:c=0.5,h=90,log=on", 3 * P, "delta=0.1,gamma=0.95,c=0.5,h=90,log=on,ties=random"},
    {"speedy-q", 4 + 5 * P, "gamma=0.95,form=round,q0=0,explore=epsilon,epsilon=0.1,ties=random"},
    {"speedy-q:form=step", 4 + 2 * P,
     "gamma=0.95,form=step,q0=0,explore=epsilon,epsilon=0.1,ties=random"},
    {"speedy-q:form=step,epsilon=0", 4 + 2 * P,
     "gamma=0.95,form=step,q0=0,explore=epsilon,epsilon=0,ties=random"},
    {"speedy-q:epsilon=0", 4 + 5 * P,
     "gamma=0.95,form=round,q0=0,explore=epsilon,epsilon=0,ties=random"},
    {"speedy-q:explore=softmax", 4 + 5 * P,
     "gamma=0.95,form=round,q0=0,explore=softmax,temperature=0.2"},
    {"speedy-q:temperature=1", 4 + 5 * P,
     "gamma=0.95,form=round,q0=0,explore=softmax,temperature=1"},
    {"bayes-q", 5 * P,
     "gamma=0.95,choice=sampling,update=moment,mu0=0,lambda0=0.39,alpha0=6.5,beta0=1."
     "2583999999999975,ties=random"},
    {"bayes-q:update=point,choice=vpi", 5 * P,
     "gamma=0.95,choice=vpi,update=point,mu0=0,lambda0=0.39,alpha0=6.5,beta0=1.2583999999999975,"
     "ties=random"},
    {"bayes-q:alpha0=0.5,update=point", 5 * P,
     "gamma=0.95,choice=sampling,update=point,mu0=0,lambda0=0.39,alpha0=0.5,beta0=0."
     "0967999999999998,ties=random"},
    {"bayes-q:alpha0=0.6,update=point,choice=vpi", 5 * P,
     "gamma=0.95,choice=vpi,update=point,mu0=0,lambda0=0.39,alpha0=0.6,beta0=0.11615999999999976,"
     "ties=random"},
    {"ucb-h", 2 * T, "c=0.001,log=off,ties=random"},
    {"ucb-h:preset=theory", 2 * T, "delta=0.1,c=1,log=on,ties=random"},
    {"ucb-h:c=1", 2 * T, "c=1,log=off,ties=random"},
    {"ucb-b", 5 * T, "c1=0.0033,c2=0.05,tail=0,log=off,ties=random"},
    {"ucb-b:preset=theory", 5 * T, "delta=0.1,c1=2,c2=2,tail=495.7418683145494,log=on,ties=random"},
    {"ucb-b:c1=2,c2=1,tail=500,log=on", 5 * T, "delta=0.1,c1=2,c2=1,tail=500,log=on,ties=random"},
    {"ucb-b:c1=1,c2=2,tail=500,log=on", 5 * T, "delta=0.1,c1=1,c2=2,tail=500,log=on,ties=random"},
    {"ucbmq", T *(3 + S) + U, "c=0.027,ties=random"},
    {"rand-ql", T *(4 + 3), "form=step,ensemble=3,prior=0.011,kappa=0.24,falls=off,ties=random"},
    {"rand-ql:form=staged", T *(4 + 10),
     "form=staged,ensemble=10,prior=1,kappa=1,r0=1,ties=random"},
    {"q-advantage", 10 * T + 4 * U, "c=0.0015,tail=0.5,settle=0.22,log=off,ties=random"},
    {"q-advantage:preset=theory", 10 * T + 4 * U,
     "delta=0.1,c=1,tail=1,settle=1,log=on,ties=random"},
    {"q-advantage:c=1,tail=0.5,log=on", 10 * T + 4 * U,
     "delta=0.1,c=1,tail=0.5,settle=0.22,log=on,ties=random"},
    {"q-advantage:c=0.5,tail=1,log=on", 10 * T + 4 * U,
     "delta=0.1,c=0.5,tail=1,settle=0.22,log=on,ties=random"},
    {"r-max", LEARNER, "gamma=0.95,m=20,plan=full,tol=0.002,ties=random"},
    {"r-max:plan=rtdp", LEARNER, "gamma=0.95,m=20,plan=rtdp,eps1=0.002,ties=random"},
    {"r-max:preset=theory,eps=1", LEARNER,
     "gamma=0.95,m=181706803,plan=full,tol=0.002,ties=random"},
    {"r-max:preset=theory,eps=1,m=5", LEARNER, "gamma=0.95,m=5,plan=full,tol=0.002,ties=random"},
    {"v-max", LEARNER, "gamma=0.95,m=20,tol=0.002,ties=random"},
    {"v-max:preset=theory,eps=1", LEARNER, "gamma=0.95,m=181706803,tol=0.002,ties=random"},
    {"mbie", LEARNER + P,
     "gamma=0.95,a=0.011,b=0.55,m=9007199254740992,replan=1.1,tol=0.002,ties=random"},
    {"mbie:preset=theory,eps=1", LEARNER + P,
     "gamma=0.95,a=3.5647464586361677,b=7.595896501822987,m=181706803,replan=1,tol=0.002,"
     "ties=random"},
    {"mbie:preset=theory,eps=1,m=5,a=1,b=1", LEARNER + P,
     "gamma=0.95,a=1,b=1,m=5,replan=1,tol=0.002,ties=random"},
    {"mbie:a=3.4,b=0.55", LEARNER + P,
     "gamma=0.95,a=3.4,b=0.55,m=9007199254740992,replan=1.1,tol=0.002,ties=random"},
    {"mbie:a=0.5,b=7.3", LEARNER + P,
     "gamma=0.95,a=0.5,b=7.3,m=9007199254740992,replan=1.1,tol=0.002,ties=random"},
    {"mbie-eb", LEARNER + P,
     "gamma=0.95,beta=0.16,m=9007199254740992,replan=1.1,tol=0.002,ties=random"},
    {"mbie-eb:preset=theory,eps=1", LEARNER + P,
     "gamma=0.95,beta=140.6319663466545,m=181706803,replan=1,tol=0.002,ties=random"},
    {"beb", LEARNER + P,
     "gamma=0.95,beta=6,prior=0,m=9007199254740992,replan=1.1,tol=0.002,ties=random"},
    {"beb:preset=theory", LEARNER + P,
     "gamma=0.95,beta=1599.9999999999973,prior=1,m=16000,replan=1,tol=0.002,ties=random"},
    {"beb:preset=theory,eps=1", LEARNER + P,
     "gamma=0.95,beta=1599.9999999999973,prior=1,m=64000,replan=1,tol=0.002,ties=random"},
    {"oim", LEARNER + 2 * P + S + 1,
     "gamma=0.95,ve=39.999999999999964,replan=1.1,tol=0.002,ties=random"},
    {"oim:ve=1", LEARNER + 2 * P + S + 1, "gamma=0.95,ve=1,replan=1.1,tol=0.002,ties=random"},
    {"oim:ve=7.9", LEARNER + 2 * P + S + 1, "gamma=0.95,ve=7.9,replan=1.1,tol=0.002,ties=random"},
    {"mormax", LEARNER + 7 * P + S,
     "gamma=0.95,m=20,eps1=0.10000000000000009,tol=0.002,ties=random"},
    {"mormax:preset=theory,eps=1", LEARNER + 7 * P + S,
     "gamma=0.95,m=22317823322,eps1=0.050000000000000044,tol=0.002,ties=random"},
    {"e3", LEARNER + 3 + (3 + 80) * (S + 1),
     "gamma=0.95,m=20,horizon=80,theta=0.01,freeze=off,tol=0.002,ties=random"},
    {"e3:preset=theory,eps=1", LEARNER + 3 + (3 + 74) * (S + 1),
     "gamma=0.95,m=181706803,horizon=74,theta=0.012787293245948121,freeze=on,tol=0.002,"
     "ties=random"},
    {"ucrl2", AVERAGE, "delta=0.1,scale=0.018,ties=random"},
    {"ucrl2:scale=1", AVERAGE, "delta=0.1,scale=1,ties=random"},
    {"ucrl2b", AVERAGE + 1 + P, "delta=0.1,scale=0.0061,ties=random"},
    {"ucrl2b:preset=theory", AVERAGE + 1 + P, "delta=0.1,scale=1,ties=random"},
    {"kl-ucrl", AVERAGE + 1, "delta=0.1,scale=0.0166,scale_r=0.04,ties=random"},
    {"kl-ucrl:scale=1,scale_r=0.5", AVERAGE + 1, "delta=0.1,scale=1,scale_r=0.5,ties=random"},
    {"kl-ucrl:preset=theory", AVERAGE + 1, "delta=0.1,scale=1,scale_r=1,ties=random"},
    {"ucrl3", AVERAGE + 1 + P, "delta=0.1,scale=0.02,kappa=0,ties=random"},
    {"ucrl3:scale=1", AVERAGE + 1 + P, "delta=0.1,scale=1,kappa=0,ties=random"},
    {"ucrl3:preset=theory", AVERAGE + 1 + P, "delta=0.1,scale=1,kappa=10,ties=random"},
    {"ucrl3:preset=theory,sure=half", AVERAGE + 1 + P,
     "delta=0.1,scale=1,kappa=10,sure=half,ties=random"},
    {"imed-rl", AVERAGE, "tol=0.002,ties=random"},
    {"ucrl-gamma", LEARNER + 1 + P,
     "gamma=0.95,l1=0.5,a=0.027,batch=1,delay=0,tol=0.002,ties=random"},
    {"ucrl-gamma:preset=theory,eps=1", LEARNER + 1 + P,
     "gamma=0.95,l1=9.87593792967995,a=2.222154127156794,batch=594859,delay=148,tol=0.002,"
     "ties=random"},
    {"ucrl-gamma:preset=theory,eps=1,batch=3,delay=2,l1=1,a=1", LEARNER + 1 + P,
     "gamma=0.95,l1=1,a=1,batch=3,delay=2,tol=0.002,ties=random"},
    {"ucbvi-gamma", LEARNER + S *(A + 1), "gamma=0.95,u=0.01,b=0,ties=random"},
    {"ucbvi-gamma:preset=theory", LEARNER + S *(A + 1),
     "gamma=0.95,u=46.762654023982414,b=100,ties=random"},
    {"ucbvi-gamma:preset=theory,steps=1000", LEARNER + S *(A + 1),
     "gamma=0.95,u=39.27953460009671,b=100,ties=random"},
    {"psrl", LEARNER + 3 + P,
     "gamma=0.95,prior=1,mu0=-1,sp=2,sn=0.042,resample=geometric,tol=0.002,ties=random"},
    {"psrl:resample=fixed", LEARNER + 3 + P,
     "gamma=0.95,prior=1,mu0=-1,sp=2,sn=0.042,resample=fixed,tau=20,tol=0.002,ties=random"},
    {"psrl:resample=tsde", LEARNER + 3 + P,
     "gamma=0.95,prior=1,mu0=-1,sp=2,sn=0.042,resample=tsde,tol=0.002,ties=random"},
    {"rlsvi", LEARNER + 3 + P,
     "gamma=0.95,sp=51.99999999999996,sn=0.056,resample=geometric,tol=0.002,ties=random"},
    {"rlsvi:resample=fixed", LEARNER + 3 + P,
     "gamma=0.95,sp=51.99999999999996,sn=0.056,resample=fixed,tau=20,tol=0.002,ties=random"},
    {"ucbvi", SHARED,
     "bonus=bernstein,constants=2025,l=1,scale=0.05,correction=0,stages=shared,replan=1,"
     "ties=random"},
    {"ucbvi:preset=theory", SHARED,
     "bonus=bernstein,constants=2025,l=17.216707939626428,scale=1,correction=1,"
     "stages=shared,replan=1,ties=random"},
    {"ucbvi:preset=theory,constants=2017", SHARED,
     "bonus=bernstein,constants=2017,l=17.216707939626428,scale=1,correction=1,"
     "stages=shared,replan=1,ties=random"},
    {"ucbvi:stages=apart", APART,
     "bonus=bernstein,constants=2025,l=1,scale=0.05,correction=0,stages=apart,replan=1,"
     "ties=random"},
    {"ucbvi:bonus=hoeffding", SHARED,
     "bonus=hoeffding,constants=2025,l=1,scale=0.01,stages=shared,replan=1,ties=random"},
    {"ucbvi:l=1,scale=1", SHARED,
     "bonus=bernstein,constants=2025,l=1,scale=1,correction=0,stages=shared,replan=1,"
     "ties=random"},
    {"ucbvi:preset=theory,delta=0.01,episodes=5000", SHARED,
     "bonus=bernstein,constants=2025,l=18.82614585206053,scale=1,correction=1,stages=shared,"
     "replan=1,ties=random"},
    {"mvp", SHARED + 7 * P, "samples=all,l=1,scale=0.0011,stages=shared,ties=random"},
    {"mvp:preset=theory", APART + 7 * T,
     "samples=latest,l=31.50222212683644,scale=1,stages=apart,ties=random"},
    {"mvp:stages=apart", APART + 7 * T, "samples=all,l=1,scale=0.0011,stages=apart,ties=random"},
    {"mvp:l=1,scale=1", SHARED + 7 * P, "samples=all,l=1,scale=1,stages=shared,ties=random"},
    {"mvp:preset=theory,delta=0.01,episodes=5000", APART + 7 * T,
     "samples=latest,l=32.41851285871059,scale=1,stages=apart,ties=random"},
    {"ubev", SHARED, "l=1,scale=0.1,stages=shared,replan=1,ties=random"},
    {"ubev:preset=theory", APART, "l=9.287301413112312,scale=1,stages=apart,replan=1,ties=random"},
    {"ubev:l=1,scale=1", SHARED, "l=1,scale=1,stages=shared,replan=1,ties=random"},
    {"orlc", SHARED + V,
     "l=1,scale=0.05,correction=0.0011111111111111111,stages=shared,replan=1,ties=random"},
    {"orlc:preset=theory", SHARED + V,
     "l=10.571316925111784,scale=1,correction=1,stages=shared,replan=1,ties=random"},
    {"orlc:l=1,scale=1,correction=1", SHARED + V,
     "l=1,scale=1,correction=1,stages=shared,replan=1,ties=random"},
    {"orlc:l=11,scale=1,correction=0.5", SHARED + V,
     "l=11,scale=1,correction=0.5,stages=shared,replan=1,ties=random"},
    {"bpi-ucbvi", SHARED + 1 + 2 * V + 2 * A,
     "eps=0.8,delta=0.1,scale=0.0064,dim=1,c=1,stages=shared,ties=random"},
    {"bpi-ucbvi:preset=theory", APART + 1 + 2 * V + 2 * A,
     "eps=0.8,delta=0.1,scale=1,dim=6,c=224,stages=apart,ties=random"},
    {"bpi-ucbvi:scale=1", SHARED + 1 + 2 * V + 2 * A,
     "eps=0.8,delta=0.1,scale=1,dim=1,c=1,stages=shared,ties=random"},
    {"bpi-ucbvi:scale=1,dim=6", SHARED + 1 + 2 * V + 2 * A,
     "eps=0.8,delta=0.1,scale=1,dim=6,c=1,stages=shared,ties=random"},
    {"bpi-ucbvi:eps=0.4", SHARED + 1 + 2 * V + 2 * A,
     "eps=0.4,delta=0.1,scale=0.0064,dim=1,c=1,stages=shared,ties=random"},
    {"psrl-episodic", SHARED, "prior=1,mu0=-1,sp=2,sn=0.04,stages=shared,ties=random"},
    {"rlsvi-episodic", SHARED, "sp=8,sn=0.044,stages=shared,ties=random"},
    {"rf-express", SHARED + 1 + V + T,
     "eps=0.8,delta=0.1,scale=0.014,dim=1,c=0.0108,stages=shared,ties=random"},
    {"rf-express:preset=theory", APART + 1 + V + T,
     "eps=0.8,delta=0.1,scale=1,dim=6,c=240,stages=apart,ties=random"},
    {"rf-express:scale=1", SHARED + 1 + V + T,
     "eps=0.8,delta=0.1,scale=1,dim=1,c=0.0108,stages=shared,ties=random"},
    {"rf-express:scale=1,dim=6", SHARED + 1 + V + T,
     "eps=0.8,delta=0.1,scale=1,dim=6,c=0.0108,stages=shared,ties=random"},
    {"rf-ucrl", SHARED + 1 + V + T,
     "eps=0.8,delta=0.1,scale=0.0014375,dim=1,stages=shared,ties=random"},
    {"rf-ucrl:preset=theory", APART + 1 + V + T,
     "eps=0.8,delta=0.1,scale=1,dim=5,stages=apart,ties=random"},
    {"rf-ucrl:scale=1", SHARED + 1 + V + T,
     "eps=0.8,delta=0.1,scale=1,dim=1,stages=shared,ties=random"},
    {"bayes-ucbvi", SHARED + 16, "kappa=0.75,draws=16,n0=0.9,r0=0.42,stages=shared,ties=random"},
    {"random", 0, ""},
    {"optimal", S, "criterion=discounted,gamma=0.95"},
    {"optimal:criterion=average", S, "criterion=average"},
    {"optimal:criterion=discounted", S, "criterion=discounted,gamma=0.95"},
};

static void test_meaning(const meaning *m) {
  const far_shape shape = shape_of(m->spec);
  char out[FAR_SPEC_SIZE];
  size_t bytes = 0;
  CHECK(far_agent_resolve(out, m->spec, &shape, NULL) == FAR_OK);
  const char *colon = strchr(out, ':');
  CHECK_TEXT(colon != NULL ? colon + 1 : "", m->params);
  CHECK(far__agent_state_size(&bytes, m->spec, &shape, NULL) == FAR_OK);
  CHECK(bytes == 8 * m->words);
  if (bytes != 8 * m->words) printf("  %s: %zu words, not %zu\n", m->spec, bytes / 8, m->words);
}

/* The handle, a block with a byte to spare, and the agent's own copy of the marks. */
static void test_bytes(const char *spec) {
  static const bool absent[S] = {false, true, false, true, false};
  far_shape shape = shape_of(spec);
  for (int marked = 0; marked < 2; ++marked) {
    far_agent *agent = NULL;
    size_t bytes = 0;
    shape.absent = marked ? absent : NULL;
    CHECK(far__agent_create(&agent, spec, &shape, 1, 0, NULL) == FAR_OK);
    CHECK(far__agent_bytes(&bytes, spec, &shape, NULL) == FAR_OK);
    CHECK(agent == NULL || bytes == sizeof *agent + agent->state_offset + agent->state_size + 1 +
                                        (marked ? sizeof absent : 0));
    far_agent_free(agent);
  }
}

static void test_no_bytes(void) {
  const far_shape shape = SHAPE(S, A, -1, 1, true, NULL, 0),
                  empty = SHAPE(0, A, -1, 1, true, NULL, 0);
  size_t bytes = 7;
  CHECK(far__agent_bytes(&bytes, "nobody", &shape, NULL) == FAR_STATUS_UNKNOWN && bytes == 0);
  bytes = 7;
  CHECK(far__agent_bytes(&bytes, "random", &empty, NULL) == FAR_STATUS_RANGE && bytes == 0);
}

/* ---- keys that do not go together ---- */

static const struct refusal {
  const char *spec, *why;
} REFUSALS[] = {
    {"directed-delayed-q:preset=theory,steps=5",
     "steps applies only with preset=scaled, as in directed-delayed-q:preset=scaled,steps=5"},
    {"directed-delayed-q:preset=theory,eps=1,eps1=0.1",
     "eps does not apply: eps1, which follows from it, is given"},
    {"directed-delayed-q:alpha_e=0.5",
     "alpha_e applies only with e_rule=visit, as in directed-delayed-q:e_rule=visit,"
     "alpha_e=0.5"},
    {"directed-delayed-q:bonus=sqrt,eta=0.5", "eta does not apply: bonus=sqrt has no logarithm"},
    {"directed-delayed-q:eps=0.5",
     "eps applies only with preset=theory, as in directed-delayed-q:preset=theory,eps=0.5"},
    {"directed-delayed-q:preset=practical,delta=0.5",
     "delta applies only with preset=theory, as in directed-delayed-q:preset=theory,"
     "delta=0.5"},
    {"delayed-q:preset=practical,eps=0.5",
     "eps applies only with preset=theory, as in delayed-q:preset=theory,eps=0.5"},
    {"delayed-q-ie:preset=scaled,delta=0.5",
     "delta applies only with preset=theory, as in delayed-q-ie:preset=theory,delta=0.5"},
    {"q-learning:step=polynomial,alpha=0.5",
     "alpha does not apply: it applies only with step=constant"},
    {"q-learning:omega=0.6", "omega does not apply: it applies only with step=polynomial"},
    {"q-learning:offset=2", "offset does not apply: it applies only with step=polynomial"},
    {"q-learning:explore=softmax,decay=linear",
     "decay does not apply: it applies only with explore=epsilon"},
    {"q-learning:explore=softmax,epsilon=0.5",
     "epsilon does not apply: it applies only with explore=epsilon"},
    {"q-learning:decay=state,epsilon=0.5", "epsilon does not apply: decay=state takes c instead"},
    {"q-learning:epsilon_end=0.01",
     "epsilon_end does not apply: it applies only with decay=linear"},
    {"q-learning:decay_steps=10", "decay_steps does not apply: it applies only with decay=linear"},
    {"q-learning:c=2", "c does not apply: it applies only with decay=state"},
    {"q-learning:explore=softmax,c=2", "c does not apply: it applies only with decay=state"},
    {"q-learning:explore=softmax,ties=lowest", "ties does not apply: softmax chooses at random"},
    {"count-q:alpha=0.5", "alpha does not apply: it applies only with step=constant"},
    {"dora:epsilon=0.5",
     "epsilon does not apply: it applies only with rule=lll-epsilon or epsilon"},
    {"dora:rule=lll-epsilon,temperature=1",
     "temperature does not apply: it applies only with rule=lll-softmax or softmax"},
    {"dora:place=choice", "place does not apply: the lll rules have their bonus in the target"},
    {"dora:rule=softmax,beta=0,ties=lowest", "ties does not apply: softmax chooses at random"},
    {"dora:rule=softmax,place=target,ties=lowest",
     "ties does not apply: softmax chooses at random"},
    {"dora:alpha_e=1e-20", "alpha_e=1e-20 is too small: 1-alpha_e is rounded to 1"},
    {"ucb-q:eps=1", "eps does not apply: it applies only with preset=theory"},
    {"ucb-q:delta=0.5", "delta does not apply: it applies only with log=on"},
    {"ucb-q:preset=theory,eps=1,h=9", "eps does not apply: h, which follows from it, is given"},
    {"ucb-q:preset=theory,gamma=0.5", "the theorem is for gamma above 1/2, not 0.5"},
    {"speedy-q:explore=softmax,epsilon=0.5",
     "epsilon does not apply: it applies only with explore=epsilon"},
    {"speedy-q:explore=softmax,ties=lowest", "ties does not apply: softmax chooses at random"},
    {"bayes-q:alpha0=1", "update=moment needs a prior variance: alpha0 above 1, not 1"},
    {"bayes-q:alpha0=0.5,update=point,choice=vpi",
     "choice=vpi needs a mean to expect: alpha0 above 1/2, not 0.5"},
    {"ucb-h:delta=0.5", "delta does not apply: it applies only with log=on"},
    {"ucb-b:delta=0.5", "delta does not apply: it applies only with log=on"},
    {"rand-ql:r0=2", "r0 does not apply: it applies only with form=staged"},
    {"rand-ql:form=staged,falls=on", "falls does not apply: it applies only with form=step"},
    {"q-advantage:delta=0.5", "delta does not apply: it applies only with log=on"},
    {"r-max:eps1=0.1", "eps1 does not apply: it applies only with plan=rtdp"},
    {"r-max:plan=rtdp,tol=0.1", "tol does not apply: it applies only with plan=full"},
    {"r-max:eps=0.5", "eps applies only with preset=theory, as in r-max:preset=theory,eps=0.5"},
    {"r-max:delta=0.5",
     "delta applies only with preset=theory, as in r-max:preset=theory,delta=0.5"},
    {"r-max:preset=theory,eps=1e-9",
     "the theorem requires a count of 1.82e+26, more than can be counted; give a larger eps,"
     " or give it yourself"},
    {"v-max:eps=1", "eps applies only with preset=theory, as in v-max:preset=theory,eps=1"},
    {"mbie:eps=0.5", "eps applies only with preset=theory, as in mbie:preset=theory,eps=0.5"},
    {"mbie-eb:delta=0.5",
     "delta applies only with preset=theory, as in mbie-eb:preset=theory,delta=0.5"},
    {"beb:eps=0.5", "eps applies only with preset=theory, as in beb:preset=theory,eps=0.5"},
    {"mormax:delta=0.5",
     "delta applies only with preset=theory, as in mormax:preset=theory,delta=0.5"},
    {"e3:horizon=100000000000",
     "horizon=100000000000: horizon must be a whole number in [1, 1000000]"},
    {"e3:eps=1", "eps applies only with preset=theory, as in e3:preset=theory,eps=1"},
    {"ucrl-gamma:eps=0.5",
     "eps applies only with preset=theory, as in ucrl-gamma:preset=theory,eps=0.5"},
    {"ucbvi-gamma:steps=5",
     "steps applies only with preset=theory, as in ucbvi-gamma:preset=theory,steps=5"},
    {"ucbvi-gamma:delta=0.5",
     "delta applies only with preset=theory, as in ucbvi-gamma:preset=theory,delta=0.5"},
    {"psrl:tau=5", "tau does not apply: it applies only with resample=fixed"},
    {"psrl:resample=tsde,tau=5", "tau does not apply: it applies only with resample=fixed"},
    {"rlsvi:tau=5", "tau does not apply: it applies only with resample=fixed"},
    {"ucbvi:bonus=hoeffding,correction=1",
     "correction does not apply: it applies only with bonus=bernstein"},
    {"ucbvi:delta=0.5",
     "delta applies only with preset=theory, as in ucbvi:preset=theory,delta=0.5"},
    {"ucbvi:episodes=5",
     "episodes applies only with preset=theory, as in ucbvi:preset=theory,episodes=5"},
    {"mvp:delta=0.5", "delta applies only with preset=theory, as in mvp:preset=theory,delta=0.5"},
    {"ubev:delta=0.5", "delta applies only with preset=theory, as in ubev:preset=theory,delta=0.5"},
    {"optimal:criterion=average,gamma=0.5",
     "gamma does not apply: it goes with criterion=discounted"},
};

/* A key that does not apply is named first, and is where the error points to. */
static void test_refusal(const char *spec, const char *why) {
  const far_shape shape = shape_of(spec);
  far_error error = {0};
  const far_status status = far_agent_check(spec, &shape, NULL, NULL, &error);
  CHECK_TEXT(error.message, why);
  if (strstr(why, " appl") == NULL) {
    CHECK(status == FAR_STATUS_RANGE || status == FAR_STATUS_CONFLICT);
    return;
  }
  const size_t length = strcspn(why, " ");
  CHECK(status == FAR_STATUS_CONFLICT && error.position > 0);
  CHECK(strncmp(spec + error.position, why, length) == 0 && spec[error.position + length] == '=');
}

int main(void) {
  for (size_t i = 0; i < sizeof MEANINGS / sizeof *MEANINGS; ++i) test_meaning(&MEANINGS[i]);
  for (size_t i = 0; i < sizeof MEANINGS / sizeof *MEANINGS; ++i) test_bytes(MEANINGS[i].spec);
  test_no_bytes();
  for (size_t i = 0; i < sizeof REFUSALS / sizeof *REFUSALS; ++i)
    test_refusal(REFUSALS[i].spec, REFUSALS[i].why);
  return check_report();
}
