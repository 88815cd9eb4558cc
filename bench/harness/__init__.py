"""What script/bench and bench/sign_in_timing are made of."""
